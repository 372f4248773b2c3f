import { type RawBuilder, sql } from 'kysely';
import type { NumberInSql } from '../../db/parameters.ts';
import type { DbTransaction, Row } from '../../db/schema.ts';

/** A draft as events and responses need it. */
export interface Draft {
  readonly id: number;
  /** Null except for channels. */
  readonly channelId: number | null;
  /** The other participants of a direct message, or only the user. Empty except for direct messages. */
  readonly recipients: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** The time of the last edit, in seconds since the epoch. */
  readonly editedAt: number;
}

/** All of the user's, the last edited first. Index: the primary key; a user has a bounded number (kept-texts.ts). */
export function selectDrafts(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<readonly Draft[]> {
  return sql`
    SELECT coalesce(json_agg(draft), '[]') FROM (
      SELECT id, channel_id AS "channelId", recipients, topic, content,
             floor(extract(epoch FROM edited_at))::bigint AS "editedAt"
        FROM drafts
       WHERE organization_id = ${organizationId} AND user_id = ${userId} ORDER BY drafts.edited_at DESC, id DESC
    ) AS draft`;
}

export function toDraft(row: Row<'drafts'>): Draft {
  return {
    id: row.id,
    channelId: row.channel_id,
    recipients: row.recipients,
    topic: row.topic,
    content: row.content,
    editedAt: Math.floor(row.edited_at.getTime() / 1000),
  };
}

/** Whether the user has the draft. Index: the primary key. */
export async function hasDraft(
  db: DbTransaction,
  organizationId: number,
  userId: number,
  id: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('drafts')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}
