import { MAX_PINNED_MESSAGES, MAX_PINS_IN_TOPICS } from '@heddle/api/objects/pinned-message.ts';
import type pg from 'pg';
import type { ImportReport } from './report.ts';

/** Of too many pinned messages in a place, those that were pinned last stay. They are known only when all rows are there. */
export async function keepPinLimits(client: pg.Client, organizationId: number, report: ImportReport): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `DELETE FROM pinned_messages WHERE organization_id = $1 AND message_id = ANY (ARRAY(
       SELECT message_id
         FROM (SELECT p.message_id, p.place,
                      row_number() OVER (PARTITION BY p.channel_id, p.place, CASE p.place WHEN 'topic' THEN lower(m.topic) END
                                             ORDER BY p.pinned_at DESC, p.message_id DESC) AS in_place,
                      row_number() OVER (PARTITION BY p.channel_id, p.place
                                             ORDER BY p.pinned_at DESC, p.message_id DESC) AS in_channel
                 FROM pinned_messages p JOIN messages m ON m.organization_id = p.organization_id AND m.id = p.message_id
                WHERE p.organization_id = $1) AS pins
        WHERE in_place > $2 OR in_channel > $3))
     RETURNING message_id::text AS id`,
    [organizationId, MAX_PINNED_MESSAGES, MAX_PINS_IN_TOPICS],
  );
  for (const { id } of rows) report.skip('Pinned messages, because there are too many in their channel or topic', id);
}
