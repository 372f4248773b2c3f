import type { Playground } from '@heddle/client/calls/types.ts';
import type { CustomEmoji } from '@heddle/client/model/emoji.ts';
import { loadedCode } from '../base/load-code.ts';
import { decorateSpoilers, decorateTables } from './decorate-blocks.ts';
import { decorateCode } from './decorate-code.ts';
import { decorateEmoji, isOnlyEmoji, stillEmoji } from './decorate-emoji.ts';
import { type Animation, decorateEmbeds, decorateMedia } from './decorate-media.ts';
import { decorateTimes } from './decorate-times.ts';

/** What decides how messages look. */
export interface Look {
  readonly playgrounds: readonly Playground[];
  readonly animation: Animation;
  /** Emoji are shown as their names. */
  readonly isEmojiText: boolean;
  readonly emoji: Pick<CustomEmoji, 'all'>;
}

/**
 * Completes the sanitized nodes of a message. Names follow separately (`decorateNames`), because they change.
 * @param html what the nodes were made from. Most messages need few of the steps, which this shows without a look at the nodes
 * @returns whether the message consists of a few emoji only
 */
export function decorate(fragment: DocumentFragment, html: string, look: Look): boolean {
  if (html.includes('"codehilite"')) decorateCode(fragment, look.playgrounds);
  if (html.includes('<table')) decorateTables(fragment);
  if (html.includes('"spoiler-block"')) decorateSpoilers(fragment);
  if (html.includes('<time')) decorateTimes(fragment);
  if (/message_inline|<audio|user_uploads/.test(html)) decorateMedia(fragment, look.animation);
  if (html.includes('message_embed')) decorateEmbeds(fragment);
  if (html.includes('katex')) void loadFormulaStyles();
  if (!html.includes('emoji')) return false;
  const isOnly = isOnlyEmoji(fragment);
  decorateEmoji(fragment, look.isEmojiText);
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) stillEmoji(fragment, look.emoji);
  return isOnly;
}

let formulaStyles: Promise<unknown> | undefined;

/** The styles and fonts of formulas are large, and most messages have none. */
function loadFormulaStyles(): Promise<unknown> {
  formulaStyles ??= loadedCode(() => import('./formulas.css'));
  return formulaStyles;
}
