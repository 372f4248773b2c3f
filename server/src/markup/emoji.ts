import { readFileSync } from 'node:fs';

/**
 * The Unicode emoji that the API knows, by the names that its clients use. `emoji-names.txt` has one emoji a line: its
 * code (lower-case code points joined by `-`, without the variation selector U+FE0F), its canonical name, its other
 * names. The names are the public emoji data of Zulip (Apache-2.0), as servers of this API publish at
 * `server_emoji_data_url`.
 */
const codeByName = new Map<string, string>();
const canonicalNameByCode = new Map<string, string>();
const codeToNames: Record<string, readonly string[]> = {};

for (const line of readFileSync(new URL('./emoji-names.txt', import.meta.url), 'utf8').split('\n')) {
  const [code, ...names] = line.split(' ');
  const canonical = names[0];
  if (code === undefined || canonical === undefined) continue;
  codeToNames[code] = names;
  canonicalNameByCode.set(code, canonical);
  for (const name of names) codeByName.set(name, code);
}

/** The code of the Unicode emoji that has this name, canonical or not: `smile` is `1f642`. */
export function emojiByName(name: string): { readonly code: string } | undefined {
  const code = codeByName.get(name);
  return code === undefined ? undefined : { code };
}

/** The canonical name of the Unicode emoji that has this code: `1f642` is `smile`. */
export function emojiByCode(code: string): { readonly name: string } | undefined {
  const name = canonicalNameByCode.get(code);
  return name === undefined ? undefined : { name };
}

/** The names of every emoji, the canonical one first, in the form that `server_emoji_data_url` serves. */
export const emojiData: { readonly code_to_names: Readonly<Record<string, readonly string[]>> } = {
  code_to_names: codeToNames,
};

/** A keycap, a flag, or a pictograph with its modifiers and whatever is joined to it. */
const POSSIBLE_EMOJI =
  /[#*0-9]\uFE0F?\u20E3|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F\u20E3?|[\u{E0020}-\u{E007E}]+\u{E007F})?(?:\u200D\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?)*/gu;

/** One character (or keycap) that Unicode shows as text unless U+FE0F follows: ©, ™, ✔, ❤, `1` with U+20E3. */
const TEXT_BY_DEFAULT = /^\P{Emoji_Presentation}\u20E3?$/u;

/**
 * Replaces the Unicode emoji written literally in `text`. A character that is text by default stays text unless U+FE0F follows it, as in
 * Unicode's "emoji presentation" and in this API's clients. A sequence without a name (a skin tone, an emoji newer than the table) stays
 * whole: its parts alone mean something else.
 */
export function replaceUnicodeEmoji(text: string, replacement: (code: string, name: string) => string): string {
  // A message can contain thousands of the same emoji.
  const replaced = new Map<string, string>();
  return text.replace(POSSIBLE_EMOJI, (sequence) => {
    let html = replaced.get(sequence);
    if (html === undefined) {
      html = replacedEmoji(sequence, replacement);
      replaced.set(sequence, html);
    }
    return html;
  });
}

function replacedEmoji(sequence: string, replacement: (code: string, name: string) => string): string {
  if (TEXT_BY_DEFAULT.test(sequence)) return sequence;
  const code = emojiCodeOf(sequence);
  const name = canonicalNameByCode.get(code);
  return name === undefined ? sequence : replacement(code, name);
}

/** The code of a literal emoji: `👍` is `1f44d`. */
export function emojiCodeOf(sequence: string): string {
  const parts: string[] = [];
  for (const character of sequence) {
    const point = character.codePointAt(0) ?? 0;
    if (point !== 0xfe0f) parts.push(point.toString(16).padStart(4, '0'));
  }
  return parts.join('-');
}
