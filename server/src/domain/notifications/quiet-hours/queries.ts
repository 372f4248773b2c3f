import type { quietHours } from '@heddle/api/objects/quiet-hours.ts';
import { quietUntil } from '@heddle/api/quiet-time.ts';
import { type Generated, type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { NumberInSql } from '../../../db/parameters.ts';
import type { Db, DbTransaction } from '../../../db/schema.ts';

export type QuietHours = Static<typeof quietHours>;

/** Of users who have changed nothing. */
export const NO_QUIET_HOURS: QuietHours = {
  paused_until: null,
  resumed_until: null,
  schedule: [],
  except_direct_messages: false,
};

/** That a user is not notified now. */
export interface Quiet {
  /** When it ends, in milliseconds since the epoch. */
  readonly until: number;
  readonly exceptDirectMessages: boolean;
}

/** The row `q` in the wire format. */
export const QUIET_HOURS: RawBuilder<QuietHours> = sql`
  json_build_object('paused_until', floor(extract(epoch FROM q.paused_until))::bigint,
                    'resumed_until', floor(extract(epoch FROM q.resumed_until))::bigint,
                    'schedule', q.schedule, 'except_direct_messages', q.except_direct_messages)`;

/** The user's quiet hours in the wire format; null if the user has changed nothing. Index: the primary key. */
export function selectQuietHours(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<QuietHours | null> {
  return sql`SELECT ${QUIET_HOURS} FROM quiet_hours q WHERE organization_id = ${organizationId} AND user_id = ${userId}`;
}

/** Undefined if the user is notified now. */
export function quietNow(hours: QuietHours | null, timezone: string): Quiet | undefined {
  const until = hours === null ? null : quietUntil(hours, timezone, Date.now());
  if (hours === null || until === null) return undefined;
  return { until, exceptDirectMessages: hours.except_direct_messages };
}

/** Whether it silences a message. */
export function silences(quiet: Quiet | undefined, isDirect: boolean): quiet is Quiet {
  return quiet !== undefined && !(isDirect && quiet.exceptDirectMessages);
}

/** Those of the users who are not notified now. Indexes: the primary keys. */
export async function quietUsers(
  db: Db | DbTransaction,
  organizationId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Quiet>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<{ user_id: number; timezone: string; hours: QuietHours }>`
    SELECT q.user_id, u.timezone, ${QUIET_HOURS} AS hours
      FROM quiet_hours q JOIN users u ON u.organization_id = q.organization_id AND u.id = q.user_id
     WHERE q.organization_id = ${organizationId} AND q.user_id = ANY (${userIds}::integer[])`.execute(db);
  const all = rows.map(({ user_id, timezone, hours }) => [user_id, quietNow(hours, timezone)] as const);
  return new Map(all.flatMap(([userId, quiet]) => (quiet === undefined ? [] : [[userId, quiet]])));
}

/** Users who have changed something. */
interface QuietHoursTable {
  organization_id: number;
  user_id: number;
  paused_until: Date | null;
  /** The schedule has no effect until then. */
  resumed_until: Date | null;
  /** In the wire format. */
  schedule: Generated<QuietHours['schedule']>;
  except_direct_messages: Generated<boolean>;
}

declare module '../../../db/schema.ts' {
  interface Database {
    quiet_hours: QuietHoursTable;
  }
}
