import type { StateInline } from 'markdown-it';
import { emojiByName } from './emoji.ts';
import { renderStateOf } from './render-state.ts';
import type { MarkupEmoji } from './types.ts';

/** The `meta` of an `emoji` token. */
export type NamedEmoji =
  | { readonly kind: 'unicode'; readonly name: string; readonly code: string }
  | { readonly kind: 'custom'; readonly emoji: MarkupEmoji };

const COLON_CODE = 58;
const SYNTAX = /:([\p{L}\p{M}\p{N}_+-]{1,100}):/uy;

/** The path of the picture of `:zulip:`. Clients know it. */
export const EXTRA_EMOJI_PATH = '/static/generated/emoji/images/emoji/unicode/zulip.png';

/** The only emoji that is neither custom nor Unicode. */
const EXTRA_EMOJI: MarkupEmoji = { id: 'zulip', name: 'zulip', sourceUrl: EXTRA_EMOJI_PATH };

/** `:name:`, for custom emoji, the extra emoji and the Unicode emoji with a name. Not in the text of a link. */
export function emojiName(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== COLON_CODE || state.linkLevel > 0) return false;
  SYNTAX.lastIndex = pos;
  const match = SYNTAX.exec(src);
  const name = match?.[1];
  if (!match || name === undefined || pos + match[0].length > state.posMax) return false;

  const custom = renderStateOf(state.env).directory.customEmoji?.(name) ?? extraEmoji(name);
  const unicode = custom ? undefined : emojiByName(name);
  if (!custom && !unicode) return false;
  if (!silent) {
    const token = state.push('emoji', 'span', 0);
    const emoji: NamedEmoji = custom
      ? { kind: 'custom', emoji: custom }
      : { kind: 'unicode', name, code: unicode?.code ?? '' };
    token.meta = { emoji };
  }
  state.pos = pos + match[0].length;
  return true;
}

function extraEmoji(name: string): MarkupEmoji | undefined {
  return name === EXTRA_EMOJI.name ? EXTRA_EMOJI : undefined;
}
