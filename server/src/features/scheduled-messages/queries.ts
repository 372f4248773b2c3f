import { type RawBuilder, sql } from 'kysely';
import type { NumberInSql } from '../../db/parameters.ts';
import type { Db, DbTransaction, Row } from '../../db/schema.ts';

/** A scheduled message as events and responses need it. */
export interface ScheduledMessage {
  readonly id: number;
  /** Null for direct messages, as `participants` is for those of channels. */
  readonly channelId: number | null;
  /** Ascending, including the author. */
  readonly participants: readonly number[] | null;
  readonly topic: string;
  readonly content: string;
  readonly renderedContent: string;
  /** Seconds since the epoch. */
  readonly deliverAt: number;
  readonly failed: boolean;
}

/** All of the user's, the next first. Index: the primary key; a user has a bounded number (kept-texts.ts). */
export function selectScheduled(
  organizationId: NumberInSql,
  userId: NumberInSql,
): RawBuilder<readonly ScheduledMessage[]> {
  return sql`
    SELECT coalesce(json_agg(scheduled), '[]') FROM (
      SELECT id, channel_id AS "channelId", participants, topic, content, rendered_content AS "renderedContent",
             floor(extract(epoch FROM deliver_at))::bigint AS "deliverAt", failed
        FROM scheduled_messages
       WHERE organization_id = ${organizationId} AND user_id = ${userId} ORDER BY deliver_at, id
    ) AS scheduled`;
}

export function toScheduled(row: Row<'scheduled_messages'>): ScheduledMessage {
  return {
    id: row.id,
    channelId: row.channel_id,
    participants: row.participants,
    topic: row.topic,
    content: row.content,
    renderedContent: row.rendered_content,
    deliverAt: Math.floor(row.deliver_at.getTime() / 1000),
    failed: row.failed,
  };
}

/** The user's message with this id. Index: the primary key. */
export async function findScheduled(
  db: Db | DbTransaction,
  organizationId: number,
  userId: number,
  id: number,
): Promise<Row<'scheduled_messages'> | undefined> {
  return db
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}
