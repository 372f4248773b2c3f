import { badRequest, invalidParameter } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';

/** A date, optionally with a time, optionally with an offset from UTC. */
const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

/**
 * The time that `anchor_date` names: midnight if it has no time, and UTC if it has no offset.
 * @throws ApiError `BAD_REQUEST`: it is missing, or not a date of ISO 8601
 */
export function anchorDate(text: string | undefined): Date {
  if (text === undefined) throw badRequest("Missing 'anchor_date' argument.");
  const [, day = '', time = '00:00', zone = 'Z'] = ISO_8601.exec(text.trim()) ?? [];
  const midnight = new Date(`${day}T00:00Z`);
  // `Date` would turn February 30 into a day of March.
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  if (!exists) throw invalidParameter('anchor_date', 'is not a date in ISO 8601');
  const [, sign = '+', hours = '00', minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return new Date(`${day}T${time}${sign}${hours}:${minutes}`);
}

/**
 * Returns the first id of the organization's messages that are not older than `date`; above all ids if there are none.
 * Ids rise with the time of sending, so a binary search finds it. It needs about twenty steps for a million messages,
 * and no index that sends would have to update. If the clocks of several processes differ, the result differs by as
 * much. Index: the primary key, once per step.
 */
export async function firstIdSince(db: Db, organizationId: number, date: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE halving (low, high) AS (
      SELECT 0::bigint, coalesce(max(id), 0) + 1 FROM messages WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT CASE WHEN look.sent_at < to_timestamp(${date.getTime() / 1000}) THEN look.id + 1 ELSE low END,
             CASE WHEN look.sent_at < to_timestamp(${date.getTime() / 1000}) THEN high ELSE (low + high) / 2 END
        FROM halving
        LEFT JOIN LATERAL (
          SELECT id, sent_at FROM messages
           WHERE organization_id = ${organizationId} AND id >= (low + high) / 2 AND id < high
           ORDER BY id LIMIT 1) AS look ON true
       WHERE low < high
    )
    SELECT low AS id FROM halving WHERE low >= high`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('the binary search did not end');
  return found.id;
}
