import type { Reaction } from '@heddle/client/model/messages/message-record.ts';

/** An emoji that users can choose. `code` is unique within `type`. */
export interface Emoji {
  readonly type: Reaction['type'];
  /** Code points such as `1f44d`, the id of a custom emoji, or the name of an extra one. */
  readonly code: string;
  readonly name: string;
}

/** Equal for equal emoji. */
export function keyOfEmoji({ type, code }: Pick<Emoji, 'type' | 'code'>): string {
  return `${type}/${code}`;
}

/** The characters of a code such as `1f44d` or `2764`. Undefined if the code is not valid. */
export function charactersOf(code: string): string | undefined {
  const points = code.split('-').map((part) => (/^[0-9a-f]{2,6}$/.test(part) ? Number.parseInt(part, 16) : Infinity));
  if (points.some((point) => point > 0x10ffff)) return undefined;
  const text = String.fromCodePoint(...points);
  const [first = 0] = points;
  // Characters that are also text, such as a heart, need the selector of their colourful form.
  if (points.length === 1 && first < 0x1f400) return `${text}\ufe0f`;
  // So does the first part of a keycap.
  if (points.length === 2 && points[1] === 0x20e3) return `${String.fromCodePoint(first)}\ufe0f\u20e3`;
  return text;
}

export const THUMBS_UP: Emoji = { type: 'unicode_emoji', code: '1f44d', name: '+1' };

export interface PickedEmoji extends Emoji {
  /** What stands for it in a message: `:name:`, or the characters of an emoji with a skin tone. */
  readonly text: string;
}
