import { isDeepStrictEqual } from 'node:util';
import type { Parameters } from '@heddle/api/contract.ts';
import type { updateQuietHours } from '@heddle/api/endpoints/quiet-hours.ts';
import { badRequest, invalidParameter } from '@heddle/api/errors.ts';
import { quietUntil } from '@heddle/api/quiet-time.ts';
import { sql } from 'kysely';
import { readValue } from '../../db/prepared.ts';
import { lockUsers } from '../../db/user-locks.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { NO_QUIET_HOURS, type QuietHours, selectQuietHours } from '../../domain/notifications/quiet-hours/queries.ts';
import { quietHoursChanged } from './events.ts';

/** A longer pause is a mistake, or a user who wants no notifications. */
const MAX_PAUSE_DAYS = 366;
const SECONDS_PER_DAY = 86_400;

/**
 * Changes what is given, and tells the other clients of the user.
 * @throws ApiError `BAD_REQUEST`: bots have none, or the end of the pause has passed or is too far
 */
export async function changeQuietHours(
  change: OptimisticChange,
  user: UserRecord,
  given: Parameters<typeof updateQuietHours>,
): Promise<QuietHours> {
  if (user.isBot) throw badRequest('This endpoint does not accept bot requests.');
  checkEnd(given.paused_until);
  const { db, directory, append, hooks } = change;
  const organizationId = directory.organization.id;
  // A user may have no row to lock yet.
  await lockUsers(db, organizationId, [user.id]);
  const before = (await readValue(db, selectQuietHours(organizationId, user.id))) ?? NO_QUIET_HOURS;
  const after = changed(before, given, user.timezone);
  if (isDeepStrictEqual(after, before)) return before;
  await sql`
    INSERT INTO quiet_hours (organization_id, user_id, paused_until, resumed_until, schedule, except_direct_messages)
    VALUES (${organizationId}, ${user.id}, to_timestamp(${after.paused_until}::bigint), to_timestamp(${after.resumed_until}::bigint),
            ${JSON.stringify(after.schedule)}::jsonb, ${after.except_direct_messages})
    ON CONFLICT (organization_id, user_id) DO UPDATE SET
      paused_until = excluded.paused_until, resumed_until = excluded.resumed_until, schedule = excluded.schedule,
      except_direct_messages = excluded.except_direct_messages`.execute(db);
  await hooks.settingChanged(change, user.id, { property: 'quiet_hours', value: after });
  append(quietHoursChanged(user, after));
  return after;
}

function checkEnd(end: number | null | undefined): void {
  if (end === null || end === undefined) return;
  const now = Math.floor(Date.now() / 1000);
  if (end <= now) throw invalidParameter('paused_until', 'must be in the future');
  if (isPauseTooFar(end)) throw invalidParameter('paused_until', `is too far (limit: ${MAX_PAUSE_DAYS} days)`);
}

/** @param end in seconds since the epoch */
export function isPauseTooFar(end: number): boolean {
  return end > Math.floor(Date.now() / 1000) + MAX_PAUSE_DAYS * SECONDS_PER_DAY;
}

function changed(
  before: QuietHours,
  { paused_until: pausedUntil, schedule, except_direct_messages: exceptDirect }: Parameters<typeof updateQuietHours>,
  timezone: string,
): QuietHours {
  const after: QuietHours = {
    paused_until: pausedUntil === undefined ? before.paused_until : pausedUntil,
    // Another schedule applies at once.
    resumed_until: schedule === undefined ? before.resumed_until : null,
    schedule:
      schedule === undefined
        ? before.schedule
        : schedule.map(({ days, from, to }) => ({ days: [...new Set(days)].sort((a, b) => a - b), from, to })),
    except_direct_messages: exceptDirect ?? before.except_direct_messages,
  };
  if (pausedUntil !== null) return after;
  const end = quietUntil(after, timezone, Date.now());
  return end === null ? after : { ...after, resumed_until: Math.ceil(end / 1000) };
}
