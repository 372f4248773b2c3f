import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { rememberedBy } from '../../extension/remembered-state.ts';
import { deactivatedIn } from './group-settings.ts';
import { type ChannelView, postPolicyOf } from './present.ts';

/** Sorts by UTF-16 code units like clients do, so upper case comes first. */
export function byName(a: Pick<ChannelRecord, 'name'>, b: Pick<ChannelRecord, 'name'>): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

/** The channels that new users are subscribed to, ascending. */
export function defaultChannelIds(channels: Iterable<ChannelRecord>): number[] {
  return [...channels]
    .filter((channel) => channel.isDefault)
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}

/** A channel in its current state, ready for presentation. */
export function viewChannel(directory: Directory, channel: ChannelRecord): ChannelView {
  return {
    channel,
    subscriberCount: subscriberCount(directory, channel.id),
    postPolicy: postPolicyOf(directory, channel),
    deactivated: deactivatedIn(directory, channel.groupSettings),
  };
}

/**
 * The number of active subscribers. It takes constant time, after deactivated accounts were counted once per state of
 * the directory.
 */
export function subscriberCount(directory: Directory, channelId: number): number {
  const subscribed = directory.subscriptions.of(channelId).size;
  return subscribed - (deactivatedCounts(directory).get(channelId) ?? 0);
}

/** The active accounts among the subscribers. */
export function activeSubscribers(directory: Directory, channelId: number): number[] {
  const subscribers = [...directory.subscriptions.of(channelId).keys()];
  if (!deactivatedCounts(directory).has(channelId)) return subscribers;
  return subscribers.filter((userId) => directory.user(userId)?.isActive ?? true);
}

interface ListText {
  readonly changes: number;
  readonly usersVersion: number;
  readonly text: string;
}

const listTexts = new WeakMap<Directory, Map<number, ListText>>();

/** No version of a directory: nothing about users decides the list. */
const NO_VERSION = -1;

/** The active subscribers as a JSON list, cached until one of them changes. A large organization has a million. */
export function activeSubscribersText(directory: Directory, channelId: number): string {
  const ofDirectory = listTexts.get(directory) ?? new Map<number, ListText>();
  listTexts.set(directory, ofDirectory);
  const changes = directory.subscriptions.changesOf(channelId);
  const usersVersion = deactivatedCounts(directory).has(channelId) ? directory.version('users') : NO_VERSION;
  const known = ofDirectory.get(channelId);
  if (known?.changes === changes && known.usersVersion === usersVersion) return known.text;
  const text = `[${activeSubscribers(directory, channelId)}]`;
  ofDirectory.set(channelId, { changes, usersVersion, text });
  return text;
}

/** The deactivated accounts among the subscribers, whom `subscriberCount` leaves out. */
export function deactivatedSubscribers(directory: Directory, channelId: number): number[] {
  if (!deactivatedCounts(directory).has(channelId)) return [];
  return [...directory.subscriptions.of(channelId).keys()].filter(
    (userId) => directory.user(userId)?.isActive === false,
  );
}

/** The number of deactivated subscribers, for channels that have any. */
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
