/** Emoji of other programs: those that Slack and Mattermost name differently, and names of custom emoji. */
import { readFileSync } from 'node:fs';

/** By the names of Slack and Mattermost. `scripts/generate-emoji-codes.ts` writes the table. */
const codes = new Map<string, string>();

for (const line of readFileSync(new URL('./emoji-codes.txt', import.meta.url), 'utf8').split('\n')) {
  const [code, ...names] = line.split(' ');
  for (const name of names) if (code !== undefined) codes.set(name, code);
}

/** `wave::skin-tone-2` in Slack, `wave_light_skin_tone` in Mattermost. Skin tones have no counterpart. */
const SKIN_TONE = /(?:::skin-tone-\d|_(?:medium_)?(?:light|medium|dark)_skin_tone)$/;

/** The code of the Unicode emoji that Slack and Mattermost call so, in the form of our table: `thinking_face` is `1f914`. */
export function codeOfSharedName(name: string): string | undefined {
  return codes.get(name) ?? codes.get(name.replace(SKIN_TONE, ''));
}

/** The emoji as characters. U+FE0F makes an emoji of a character that is text by default. */
export function charactersOf(code: string): string {
  const characters = String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)));
  return /^\P{Emoji_Presentation}$/u.test(characters) ? `${characters}\uFE0F` : characters;
}

/** The emoji that is built into clients: its name and its code. */
export const EXTRA_EMOJI = 'zulip'; // wire name: its code

export interface FoundEmoji {
  readonly kind: 'unicode' | 'custom' | 'extra';
  readonly code: string;
  /** As clients of this server call it. */
  readonly name: string;
}

const MAX_NAME_LENGTH = 100;

/** A custom emoji's name as it is valid here; empty if nothing of it is. */
export function customEmojiName(name: string): string {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .toLowerCase()
    .replaceAll(/[^0-9a-z_-]/g, '_')
    .replace(/[_-]+$/, '');
}

/** What stays whole, or a name with its colons. */
const NAMES =
  /https?:\/\/[^\s)\]>]*|@_?\*\*[^*\n]{1,200}\*\*|#\*\*[^*\n]{1,200}\*\*|:([\w+'-]{1,100}):(?::skin-tone-\d:)?/g;

/** Replaces `:name:`. @param replace undefined: there is no such emoji */
export function replaceEmojiNames(text: string, replace: (name: string) => string | undefined): string {
  const names = new RegExp(NAMES);
  const parts: string[] = [];
  let end = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const [whole, name] = match;
    if (name === undefined) continue;
    const replaced = replace(name);
    if (replaced === undefined) {
      // The last colon can be the first one of another name.
      names.lastIndex = match.index + name.length + 1;
      continue;
    }
    parts.push(text.slice(end, match.index), replaced);
    end = match.index + whole.length;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(end);
}
