import { type RawBuilder, sql } from 'kysely';
import type { NumberInSql } from '../db/parameters.ts';
import { executePrepared } from '../db/prepared.ts';
import type { Db } from '../db/schema.ts';
import type { LoggedEvent } from './event.ts';

interface EventRow {
  id: number;
  type: string;
  audience: string;
  body: string;
  deltas: string | null;
  message_id: number | null;
  ephemeral: boolean;
}

/** Returns the organization's events after `after`, oldest first, at most `limit`. Index: primary key of `events`. */
export async function readEvents(
  db: Db,
  organizationId: number,
  after: number,
  limit: number,
): Promise<readonly LoggedEvent[]> {
  const rows = await eventsOf(db, organizationId).where('id', '>', after).orderBy('id').limit(limit).execute();
  return rows.map((row) => toLoggedEvent(organizationId, row));
}

/** Returns the events of the given types in a range, oldest first. Index: primary key of `events`. */
export async function readEventsOfTypes(
  db: Db,
  organizationId: number,
  types: readonly string[],
  range: { readonly after: number; readonly through: number; readonly limit: number },
): Promise<readonly LoggedEvent[]> {
  const rows = await eventsOf(db, organizationId)
    .where('id', '>', range.after)
    .where('id', '<=', range.through)
    .where('type', 'in', types)
    .orderBy('id')
    .limit(range.limit)
    .execute();
  return rows.map((row) => toLoggedEvent(organizationId, row));
}

function eventsOf(db: Db, organizationId: number) {
  return db
    .selectFrom('events')
    .select(['id', 'type', 'audience', 'body', 'deltas', 'message_id', 'ephemeral'])
    .where('organization_id', '=', organizationId);
}

function toLoggedEvent(organizationId: number, row: EventRow): LoggedEvent {
  return {
    organizationId,
    id: row.id,
    type: row.type,
    audience: JSON.parse(row.audience),
    body: JSON.parse(row.body),
    ephemeral: row.ephemeral,
    ...(row.deltas !== null && { deltas: JSON.parse(row.deltas) }),
    ...(row.message_id !== null && { messageId: row.message_id }),
  };
}

/** The position of a log: its last event, the last event that changed the directory, and its last message. */
export interface LogPosition {
  readonly head: number;
  readonly directoryHead: number;
  readonly messageHead: number;
}

export async function readPosition(db: Db, organizationId: number): Promise<LogPosition> {
  const [position] = await executePrepared(db, 'log position', selectPosition(organizationId));
  if (position === undefined) throw new Error(`organization ${organizationId} has no log`);
  return position;
}

export function selectPosition(organizationId: NumberInSql): RawBuilder<LogPosition> {
  return sql`
    SELECT head, directory_head AS "directoryHead", message_head AS "messageHead"
      FROM logs WHERE organization_id = ${organizationId}`;
}
