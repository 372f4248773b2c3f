/**
 * Keeps `is_recently_active` of channels. Sent and moved messages set it (`sending`, `reviveByMoving`), and an hourly
 * job resets it.
 */
import { type RawBuilder, sql } from 'kysely';
import Type from 'typebox';
import type { Db } from '../../db/schema.ts';
import type { Change, OptimisticChange } from '../../directory/organization.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type Job, type JobKind, job } from '../../jobs/kind.ts';
import { activityEvent } from './present.ts';

/** A channel is not recently active if it is older than this, and its newest message too. */
const RECENT_DAYS = 180;

/**
 * Channels per page. A page can be one exclusive transaction, so it bounds how long that holds the organization lock.
 */
const PAGE_SIZE_CHANNELS = 200;

/** How long channels of deactivated organizations wait for the next look. */
const DEACTIVATED_PAUSE_HOURS = 24;

/**
 * The time of the newest message of a channel, or null. Ids rise with the time. Index: messages_by_channel, one step.
 */
const newestSent = sql`(
  SELECT m.sent_at FROM messages m
   WHERE m.organization_id = channels.organization_id AND m.channel_id = channels.id
   ORDER BY m.id DESC LIMIT 1)`;

/** A time in SQL, because the clock of the database decides. */
export type Time = RawBuilder<Date>;
const NOW: Time = sql`now()`;

const longBefore = (at: Time) => sql`${at} - make_interval(days => ${RECENT_DAYS})`;

/** Whether a channel is marked as active but is silent. Reads no message if the channel is young or not marked. */
const isSilent = (at: Time) => sql<boolean>`
  CASE WHEN channels.is_recently_active AND channels.created_at < ${longBefore(at)}
       THEN coalesce(${newestSent} < ${longBefore(at)}, true)
       ELSE false END`;

/**
 * Resets `is_recently_active` of channels that have become silent. It looks at a channel only when it is due: half a year after the newest
 * message that the last look found. So it reads nothing of channels that have fallen silent, and nearly nothing of others. A channel that loses its
 * last message is due at once. If only its newest message is deleted or moved, the next look is no earlier. Several
 * processes can run it, and a run that was stopped can be repeated: each channel is announced at most once. Skips deactivated
 * organizations.
 * @param at the current time
 * @throws the last error, after all organizations without an error are done
 */
export async function endActivity(
  { db, organizations }: Pick<AppContext, 'db' | 'organizations'>,
  { at, signal }: { readonly at: Time; readonly signal: AbortSignal },
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  let after: Place | undefined = { due: '-infinity', organization_id: 0, id: 0 };
  while (after !== undefined) {
    const page: readonly DueChannel[] = await pageAfter(db, after, at);
    for (const [organizationId, channels] of Map.groupBy(page, (channel) => channel.organization_id)) {
      if (signal.aborted) return;
      try {
        await postpone(db, organizationId, { channels: channels.filter(({ silent }) => !silent), at });
        const ids = channels.filter(({ silent }) => silent).map(({ id }) => id);
        if (ids.length === 0) continue;
        const organization = await organizations.byId(organizationId);
        await organization?.transact('server', 'exclusive', (change) => announceSilent(change, ids, at));
        await organization?.yieldToOthers();
      } catch (error) {
        failure = { error };
      }
    }
    after = page.at(-1);
  }
  if (failure !== undefined) throw failure.error;
}

interface Place {
  /** `activity_due_at`, with its microseconds. */
  readonly due: string;
  readonly organization_id: number;
  readonly id: number;
}

interface DueChannel extends Place {
  readonly silent: boolean;
}

/** Reads the next due channels of all organizations, and whether they are silent. Index: channels_by_activity_due. */
async function pageAfter(db: Db, { due, organization_id: organizationId, id }: Place, at: Time) {
  const { rows } = await sql<DueChannel>`
    SELECT channels.activity_due_at::text AS due, channels.organization_id, channels.id,
           (SELECT deactivated_at FROM organizations WHERE id = channels.organization_id) IS NULL AND ${isSilent(at)} AS silent
      FROM (SELECT * FROM channels
             WHERE is_recently_active AND activity_due_at <= ${at}
               AND (activity_due_at, organization_id, id) > (${due}::timestamptz, ${organizationId}, ${id})
             ORDER BY activity_due_at, organization_id, id LIMIT ${PAGE_SIZE_CHANNELS}) AS channels
     ORDER BY channels.activity_due_at, channels.organization_id, channels.id`.execute(db);
  return rows;
}

/**
 * Notes when these channels can be silent at the earliest. A channel that another transaction has locked stays due. Index: the primary key.
 */
async function postpone(
  db: Db,
  organizationId: number,
  { channels, at }: { readonly channels: readonly Place[]; readonly at: Time },
): Promise<void> {
  if (channels.length === 0) return;
  await sql`
    UPDATE channels
       SET activity_due_at = CASE
             WHEN (SELECT deactivated_at FROM organizations WHERE id = channels.organization_id) IS NULL
             THEN greatest(created_at, ${newestSent}) + make_interval(days => ${RECENT_DAYS})
             ELSE ${at} + make_interval(hours => ${DEACTIVATED_PAUSE_HOURS}) END
     WHERE organization_id = ${organizationId}
       AND id = ANY (ARRAY(SELECT id FROM channels
                            WHERE organization_id = ${organizationId}
                              AND id = ANY (${channels.map(({ id }) => id)}::integer[])
                              FOR NO KEY UPDATE SKIP LOCKED))`.execute(db);
}

async function announceSilent({ db, directory, append }: Change, ids: readonly number[], at: Time): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    UPDATE channels SET is_recently_active = false
     WHERE organization_id = ${directory.organization.id} AND id = ANY (${ids}::integer[]) AND ${isSilent(at)}
    RETURNING id`.execute(db);
  const silent = new Set(rows.map(({ id }) => id));
  for (const id of ids) {
    const channel = directory.channel(id);
    if (silent.has(id) && channel !== undefined) append(activityEvent(channel, false));
  }
}

/**
 * Marks a channel as recently active again after messages were moved to it, if its newest message is recent enough.
 * @returns the channel afterwards
 */
export async function reviveByMoving(
  { db, directory, append }: OptimisticChange,
  channel: ChannelRecord,
): Promise<ChannelRecord> {
  if (channel.isRecentlyActive) return channel;
  const { numAffectedRows } = await sql`
    UPDATE channels SET is_recently_active = true
     WHERE organization_id = ${directory.organization.id} AND id = ${channel.id} AND ${newestSent} >= ${longBefore(NOW)}`.execute(
    db,
  );
  if (!numAffectedRows) return channel;
  append(activityEvent(channel, true));
  return { ...channel, isRecentlyActive: true };
}

const payload = Type.Object({});

/** The reference server runs this job once a day. */
const kind: JobKind<typeof payload> = {
  name: 'end-channel-activity',
  payload,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 3600,
};

export function activityJobs(app: Pick<AppContext, 'db' | 'organizations'>): readonly Job[] {
  return [job(kind, ({ signal }) => endActivity(app, { at: NOW, signal }))];
}
