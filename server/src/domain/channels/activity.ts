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
 * Resets `is_recently_active` of channels that have become silent. Several processes can run it, and a run that was
 * stopped can be repeated: each channel is announced at most once. Skips deactivated organizations.
 * @param at the current time
 * @throws the last error, after all organizations without an error are done
 */
export async function endActivity(
  { db, organizations }: Pick<AppContext, 'db' | 'organizations'>,
  { at, signal }: { readonly at: Time; readonly signal: AbortSignal },
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  let after: Place | undefined = { organization_id: 0, id: 0 };
  while (after !== undefined) {
    const page: readonly (Place & { readonly silent: boolean })[] = await pageAfter(db, after, at);
    const silent = page.filter((channel) => channel.silent);
    for (const [organizationId, channels] of Map.groupBy(silent, (channel) => channel.organization_id)) {
      if (signal.aborted) return;
      try {
        const organization = await organizations.byId(organizationId);
        const ids = channels.map(({ id }) => id);
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
  readonly organization_id: number;
  readonly id: number;
}

/** Reads the next channels of all organizations in the order of the primary key, and whether they are silent. */
async function pageAfter(db: Db, after: Place, at: Time) {
  const { rows } = await sql<Place & { readonly silent: boolean }>`
    SELECT channels.organization_id, channels.id, organizations.deactivated_at IS NULL AND ${isSilent(at)} AS silent
      FROM (SELECT * FROM channels
             WHERE (organization_id, id) > (${after.organization_id}, ${after.id})
             ORDER BY organization_id, id LIMIT ${PAGE_SIZE_CHANNELS}) AS channels
      JOIN organizations ON organizations.id = channels.organization_id
     ORDER BY channels.organization_id, channels.id`.execute(db);
  return rows;
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
