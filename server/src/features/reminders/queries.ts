import type { reminder } from '@heddle/api/objects/scheduled-message.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { NumberInSql } from '../../db/parameters.ts';
import type { Row } from '../../db/schema.ts';

export type Reminder = Static<typeof reminder>;

/** All of the user's in the wire format, the next first. Index: the primary key; a user has a bounded number (kept-texts.ts). */
export function selectReminders(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<Reminder[]> {
  return sql`
    SELECT coalesce(json_agg(reminder), '[]') FROM (
      SELECT id AS reminder_id, 'private' AS type, ARRAY[user_id] AS to, content, rendered_content,
             floor(extract(epoch FROM deliver_at))::bigint AS scheduled_delivery_timestamp, failed,
             message_id AS reminder_target_message_id
        FROM reminders
       WHERE organization_id = ${organizationId} AND user_id = ${userId} ORDER BY deliver_at, id
    ) AS reminder`;
}

export function toReminder(row: Row<'reminders'>): Reminder {
  return {
    reminder_id: row.id,
    type: 'private',
    to: [row.user_id],
    content: row.content,
    rendered_content: row.rendered_content,
    scheduled_delivery_timestamp: Math.floor(row.deliver_at.getTime() / 1000),
    failed: row.failed,
    reminder_target_message_id: row.message_id,
  };
}
