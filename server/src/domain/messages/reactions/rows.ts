import { sql } from 'kysely';
import { executePrepared } from '../../../db/prepared.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Emoji, EmojiKind } from './emoji.ts';

/** Identifies a reaction, whether it exists or not. */
export interface ReactionKey {
  readonly messageId: number;
  readonly userId: number;
  readonly kind: EmojiKind;
  readonly code: string;
}

/** What exists for one key. */
export interface Found {
  /** The emoji's name on the message; null if no user has reacted with it. */
  readonly name: string | null;
  /** Whether this user has reacted with it. */
  readonly isOwn: boolean;
  /** The number of different emoji on the message. Counted only if this one is not among them. */
  readonly count: number;
}

export interface NewReaction extends ReactionKey {
  readonly name: Emoji['name'];
  /** The user is not subscribed to the message's channel. */
  readonly byOutsider: boolean;
}

/** In the order of `asked`. Index: the primary key. */
export async function findReactions(
  db: DbTransaction,
  organizationId: number,
  asked: readonly ReactionKey[],
): Promise<readonly Found[]> {
  const rows = await executePrepared(
    db,
    'find reactions',
    sql<{ name: string | null; is_own: boolean; count: number }>`
    SELECT same.emoji_name AS name,
           EXISTS (
             SELECT FROM reactions
              WHERE organization_id = ${organizationId} AND message_id = asked.message_id
                AND emoji_kind = asked.kind AND emoji_code = asked.code AND user_id = asked.user_id) AS is_own,
           CASE WHEN same.emoji_name IS NULL THEN (
             SELECT count(*) FROM (
               SELECT DISTINCT emoji_kind, emoji_code FROM reactions
                WHERE organization_id = ${organizationId} AND message_id = asked.message_id) AS different)
           ELSE 0 END AS count
      FROM unnest(${asked.map(({ messageId }) => messageId)}::bigint[], ${asked.map(({ userId }) => userId)}::integer[],
                  ${asked.map(({ kind }) => kind)}::text[], ${asked.map(({ code }) => code)}::text[])
             WITH ORDINALITY AS asked (message_id, user_id, kind, code, place)
      LEFT JOIN LATERAL (
             SELECT emoji_name FROM reactions
              WHERE organization_id = ${organizationId} AND message_id = asked.message_id
                AND emoji_kind = asked.kind AND emoji_code = asked.code
              LIMIT 1
           ) AS same ON true
     ORDER BY asked.place`,
  );
  return rows.map((row) => ({ name: row.name, isOwn: row.is_own, count: row.count }));
}

/** The caller has locked the messages. Index: the primary keys. */
export async function insertReactions(
  db: DbTransaction,
  organizationId: number,
  added: readonly NewReaction[],
): Promise<void> {
  if (added.length === 0) return;
  await executePrepared(
    db,
    'add reactions',
    sql`
    WITH marked AS (
      UPDATE messages SET has_reactions = true
       WHERE organization_id = ${organizationId} AND id = ANY (${messagesOf(added)}::bigint[]) AND NOT has_reactions
    )
    INSERT INTO reactions (organization_id, message_id, user_id, emoji_kind, emoji_code, emoji_name, by_outsider)
    SELECT ${organizationId}::integer, message_id, user_id, kind, code, name, by_outsider
      FROM unnest(${added.map(({ messageId }) => messageId)}::bigint[], ${added.map(({ userId }) => userId)}::integer[],
                  ${added.map(({ kind }) => kind)}::text[], ${added.map(({ code }) => code)}::text[],
                  ${added.map(({ name }) => name)}::text[], ${added.map(({ byOutsider }) => byOutsider)}::boolean[])
             WITH ORDINALITY AS added (message_id, user_id, kind, code, name, by_outsider, place)
     ORDER BY place`,
  );
}

/** The caller has locked the messages. Index: the primary keys. */
export async function deleteReactions(
  db: DbTransaction,
  organizationId: number,
  removed: readonly ReactionKey[],
): Promise<void> {
  if (removed.length === 0) return;
  await executePrepared(
    db,
    'remove reactions',
    sql`
    DELETE FROM reactions
     WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
             SELECT reaction.ctid
               FROM unnest(${removed.map(({ messageId }) => messageId)}::bigint[],
                           ${removed.map(({ userId }) => userId)}::integer[],
                           ${removed.map(({ kind }) => kind)}::text[], ${removed.map(({ code }) => code)}::text[])
                      AS removed (message_id, user_id, kind, code),
                    LATERAL (
                      SELECT ctid FROM reactions
                       WHERE organization_id = ${organizationId} AND message_id = removed.message_id
                         AND emoji_kind = removed.kind AND emoji_code = removed.code AND user_id = removed.user_id
                      OFFSET 0
                    ) AS reaction))`,
  );
}

/** Clears `has_reactions` of those of the messages that have no reactions any more. */
export async function unmark(
  db: DbTransaction,
  organizationId: number,
  touched: readonly { readonly messageId: number }[],
): Promise<void> {
  if (touched.length === 0) return;
  await executePrepared(
    db,
    'mark messages without reactions',
    sql`
    UPDATE messages SET has_reactions = false
     WHERE organization_id = ${organizationId} AND id = ANY (${messagesOf(touched)}::bigint[]) AND has_reactions
       AND NOT EXISTS (
             SELECT FROM reactions
              WHERE organization_id = ${organizationId} AND message_id = messages.id)`,
  );
}

function messagesOf(keys: readonly { readonly messageId: number }[]): number[] {
  return [...new Set(keys.map(({ messageId }) => messageId))];
}
