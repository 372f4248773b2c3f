import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { rememberedBy } from '../remembered-state.ts';
import { deactivatedIn } from './group-settings.ts';
import { type ChannelView, postPolicyOf } from './present.ts';

/** A channel without messages for longer than this is not recently active, in days. */
const RECENT_DAYS = 180;
const DAY = 86_400;

/** The channels of a set that no longer count as recently active. */
export type InactiveChannels = ReadonlySet<number>;

/**
 * Which of these channels have had no message for 180 days and are older than that. Younger ones count as active without a look, so
 * that the common case asks the database nothing. Index: messages_by_channel, one descent a channel.
 */
export async function inactiveChannels(
  db: Db,
  organizationId: number,
  channels: Iterable<ChannelRecord>,
): Promise<InactiveChannels> {
  const before = Math.floor(Date.now() / 1000) - RECENT_DAYS * DAY;
  const old = [...channels].filter((channel) => channel.createdAt < before).map((channel) => channel.id);
  if (old.length === 0) return NO_CHANNELS;
  const { rows } = await sql<{ channel_id: number }>`
    SELECT old.channel_id
      FROM unnest(${old}::integer[]) AS old (channel_id)
      LEFT JOIN LATERAL (
             SELECT messages.sent_at
               FROM messages
              WHERE messages.organization_id = ${organizationId} AND messages.channel_id = old.channel_id
              ORDER BY messages.id DESC
              LIMIT 1
           ) AS newest ON true
     WHERE coalesce(newest.sent_at, 'epoch') < to_timestamp(${before})`.execute(db);
  return new Set(rows.map((row) => row.channel_id));
}

/** For how long, in milliseconds, what `inactiveChannelsOf` says may be out of date. */
const LOOK_AGAIN = 10 * 60_000;

interface Look {
  readonly at: number;
  /** Of the channels. */
  readonly version: number;
  readonly inactive: Promise<InactiveChannels>;
}

const looks = new WeakMap<Directory, Look>();

/**
 * The same for all channels of an organization, which takes a descent for each old one, as of some minutes ago at most: what everybody
 * asks who registers is asked of the database once.
 */
export function inactiveChannelsOf(directory: Directory, db: Db): Promise<InactiveChannels> {
  const version = directory.version('channels');
  const known = looks.get(directory);
  if (known?.version === version && known.at > Date.now() - LOOK_AGAIN) return known.inactive;
  const inactive = inactiveChannels(db, directory.organization.id, directory.channels.values());
  looks.set(directory, { at: Date.now(), version, inactive });
  inactive.catch(() => looks.delete(directory));
  return inactive;
}

/** As clients list them: by what their names are made of, capitals first. */
export function byName(a: Pick<ChannelRecord, 'name'>, b: Pick<ChannelRecord, 'name'>): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

const NO_CHANNELS: InactiveChannels = new Set();

/** The channels that new users are subscribed to, ascending. */
export function defaultChannelIds(channels: Iterable<ChannelRecord>): number[] {
  return [...channels]
    .filter((channel) => channel.isDefault)
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}

/** A channel as it is now, ready to be presented. */
export function viewChannel(directory: Directory, channel: ChannelRecord, inactive: InactiveChannels): ChannelView {
  return {
    channel,
    subscriberCount: subscriberCount(directory, channel.id),
    isRecentlyActive: !inactive.has(channel.id),
    postPolicy: postPolicyOf(directory, channel),
    deactivated: deactivatedIn(directory, channel.groupSettings),
  };
}

/** How many active accounts are subscribed. Constant time, once the deactivated ones are counted for a state of the directory. */
export function subscriberCount(directory: Directory, channelId: number): number {
  const subscribed = directory.subscriptions.of(channelId).size;
  return subscribed - (deactivatedCounts(directory).get(channelId) ?? 0);
}

/** The active accounts that are subscribed. */
export function activeSubscribers(directory: Directory, channelId: number): number[] {
  const subscribers = [...directory.subscriptions.of(channelId).keys()];
  if (!deactivatedCounts(directory).has(channelId)) return subscribers;
  return subscribers.filter((userId) => directory.user(userId)?.isActive ?? true);
}

/** The deactivated accounts that are subscribed: `subscriberCount` leaves them out. */
export function deactivatedSubscribers(directory: Directory, channelId: number): number[] {
  if (!deactivatedCounts(directory).has(channelId)) return [];
  return [...directory.subscriptions.of(channelId).keys()].filter(
    (userId) => directory.user(userId)?.isActive === false,
  );
}

/** By channel, of those that have any. */
const deactivatedCounts = rememberedBy(['users', 'subscriptions'], (directory): ReadonlyMap<number, number> => {
  const byChannel = new Map<number, number>();
  for (const user of directory.users.values()) {
    if (user.isActive) continue;
    for (const channelId of directory.subscriptions.channelsOf(user.id)) {
      byChannel.set(channelId, (byChannel.get(channelId) ?? 0) + 1);
    }
  }
  return byChannel;
});
