/** Which emoji a reaction or a status of the reference server has. Its name alone can have got another meaning since. */
import type { KnownEmoji } from '../conversion/neutral.ts';
import { type Json, textIn } from '../fields.ts';

const KINDS: ReadonlyMap<string | undefined, KnownEmoji['kind']> = new Map([
  ['unicode_emoji', 'unicode'],
  ['realm_emoji', 'custom'],
  ['zulip_extra_emoji', 'extra'],
]);

export function emojiOf(row: Json): KnownEmoji | undefined {
  const kind = KINDS.get(textIn(row, 'reaction_type'));
  return kind && { kind, code: textIn(row, 'emoji_code') ?? '' };
}
