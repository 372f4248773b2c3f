import { type RawBuilder, sql } from 'kysely';
import type { Directory } from '../../directory/directory.ts';
import type { Emoji, EmojiKind } from './emoji.ts';

export type { Emoji, EmojiKind } from './emoji.ts';

/** Somebody's reaction to a message. */
export interface Reaction {
  readonly emoji: Emoji;
  readonly user: { readonly id: number; readonly email: string; readonly fullName: string };
}

export type ReactionRow = readonly [kind: EmojiKind, code: string, name: string, userId: number];

/** What a reaction adds to an answer, in bytes, more or less. */
const WEIGHT = 200;

/** A message's reactions in the order in which they were added, as one value; null without any. Index: the primary key. */
export function selectReactions(organizationId: number, messageId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT json_agg(json_build_array(emoji_kind, emoji_code, emoji_name, user_id) ORDER BY id) FROM reactions
     WHERE organization_id = ${organizationId} AND message_id = ${messageId})`;
}

/** What they weigh in an answer. Index: the primary key. */
export function weighReactions(organizationId: number, messageId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT count(*) * ${WEIGHT} FROM reactions
     WHERE organization_id = ${organizationId} AND message_id = ${messageId})`;
}

export function reactionsOf(directory: Directory, rows: readonly ReactionRow[] | null): readonly Reaction[] {
  if (rows === null) return NONE;
  return rows.flatMap(([kind, code, name, userId]) => {
    const user = directory.correspondent(userId);
    if (user === undefined) return [];
    return [{ emoji: { kind, code, name }, user: { id: userId, email: user.email, fullName: user.fullName } }];
  });
}

const NONE: readonly Reaction[] = [];
