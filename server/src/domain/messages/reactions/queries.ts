import { type RawBuilder, sql } from 'kysely';
import type { Directory } from '../../../directory/directory.ts';
import type { Emoji, EmojiKind } from './emoji.ts';

/** A user's reaction to a message. */
export interface Reaction {
  readonly emoji: Emoji;
  readonly user: { readonly id: number };
}

export type ReactionRow = readonly [kind: EmojiKind, code: string, name: string, userId: number];

/** The approximate size of a reaction in a response, in bytes. */
const REACTION_SIZE_BYTES = 200;

/**
 * A message's reactions in the order in which they were added, as one value; null if there are none. Index: the primary
 * key.
 */
export function selectReactions(organizationId: number, messageId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT json_agg(json_build_array(emoji_kind, emoji_code, emoji_name, user_id) ORDER BY id) FROM reactions
     WHERE organization_id = ${organizationId} AND message_id = ${messageId})`;
}

/** Their size in a response, in bytes. Index: the primary key. */
export function weighReactions(organizationId: number, messageId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT count(*) * ${REACTION_SIZE_BYTES} FROM reactions
     WHERE organization_id = ${organizationId} AND message_id = ${messageId})`;
}

export function reactionsOf(directory: Directory, rows: readonly ReactionRow[] | null): readonly Reaction[] {
  if (rows === null) return NONE;
  return rows.flatMap(([kind, code, name, userId]) => {
    if (directory.correspondent(userId) === undefined) return [];
    return [{ emoji: { kind, code, name }, user: { id: userId } }];
  });
}

const NONE: readonly Reaction[] = [];
