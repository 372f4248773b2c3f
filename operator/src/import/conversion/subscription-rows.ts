/** Rows of subscriptions: who reads what, and since when. */
import { eachSubscriptionSetting } from '@heddle/api/subscription-settings.ts';
import type { ImportReport } from '../report.ts';
import type { SourceRow } from '../source.ts';
import type { ConvertedChannel, People } from './converted.ts';
import type { NeutralSubscription } from './neutral.ts';
import type { NeutralArchive } from './neutral-archive.ts';
import type { Staging } from './staging.ts';

interface Context {
  readonly people: People;
  readonly staging: Staging;
  readonly report: ImportReport;
}

type Rows = (after: number, rows: Iterable<SourceRow>) => AsyncIterable<SourceRow>;

const COLORS = ['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5'];
const COLOR = /^#[\da-f]{6}$/i;

/** Times that a user left and joined a channel with protected history. Earlier ones are left out, so they hide more than they should. */
export const MAX_INTERVALS = 100;

export function subscriptionTables(archive: NeutralArchive, context: Context, from: Rows) {
  return {
    subscriptions: (after: number) => from(after, subscriptionRows(archive, context)),
    subscription_intervals: (after: number) => from(after, intervalRows(context)),
  };
}

export function hasProtectedChannels(people: People): boolean {
  return [...people.channels.values()].some(isProtected);
}

function isProtected({ isHistoryProtected, isPrivate }: ConvertedChannel): boolean {
  return isHistoryProtected === true && isPrivate;
}

function* subscriptionRows(archive: NeutralArchive, context: Context): Generator<SourceRow> {
  const { people, report } = context;
  const begins = beginnings(context);
  const sinceEventId = hasProtectedChannels(people) ? MAX_INTERVALS : 0;
  const seen = new Map<number, Set<number>>();
  for (const subscription of archive.subscriptions()) {
    const user = people.users.get(subscription.user);
    const channel = people.channels.get(subscription.channel);
    if (user === undefined || channel === undefined) {
      report.skip(
        'Subscriptions of unknown users, or to unknown channels',
        `${subscription.user} in ${subscription.channel}`,
      );
      continue;
    }
    const users = seen.get(channel.id) ?? new Set();
    seen.set(channel.id, users);
    if (users.has(user.id))
      report.skip('Subscriptions that the archive has twice', `${subscription.user} in ${channel.name}`);
    else {
      const begin = isProtected(channel) ? (begins.get(channel.id)?.get(user.id) ?? context.staging.messages) : 0;
      yield subscriptionRow(context, subscription, { userId: user.id, channelId: channel.id, begin, sinceEventId });
    }
    users.add(user.id);
  }
}

function subscriptionRow(
  { staging }: Context,
  { color, isMuted = false, pinToTop = false, notifications = {}, readThrough }: NeutralSubscription,
  {
    userId,
    channelId,
    begin,
    sinceEventId,
  }: Readonly<Record<'userId' | 'channelId' | 'begin' | 'sinceEventId', number>>,
): SourceRow {
  return {
    user_id: userId,
    channel_id: channelId,
    is_active: true,
    since_event_id: sinceEventId,
    since_message_id: begin,
    read_through: readThrough === undefined ? staging.messages : staging.lastUntil(readThrough),
    ...eachSubscriptionSetting('default'),
    color: color !== undefined && COLOR.test(color) ? color : COLORS[channelId % COLORS.length],
    is_muted: isMuted,
    pin_to_top: pinToTop,
    ...notifications,
  };
}

/** The last message before each current subscription, by channel and user. */
function beginnings({ people, staging }: Context): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const found = new Map<number, Map<number, number>>();
  for (const { id, key } of [...people.channels.values()].filter(isProtected)) {
    const begins = new Map<number, number>();
    for (const { user, first, isLast } of staging.receivedRuns(key)) {
      const userId = people.users.get(user)?.id;
      if (isLast && userId !== undefined) begins.set(userId, first - 1);
    }
    found.set(id, begins);
  }
  return found;
}

/** Runs of received messages before the current subscription. */
function* intervalRows({ people, staging, report }: Context): Generator<SourceRow> {
  for (const channel of [...people.channels.values()].filter(isProtected)) {
    let userKey = '';
    let number = 0;
    for (const { user, first, last, isLast } of staging.receivedRuns(channel.key)) {
      number = user === userKey ? number + 1 : 0;
      userKey = user;
      const userId = people.users.get(user)?.id;
      if (isLast || userId === undefined || people.members.get(channel.id)?.has(userId) !== true) continue;
      if (number >= MAX_INTERVALS) {
        report.skip('Messages of channels with protected history that their readers lose', channel.name);
        continue;
      }
      yield {
        ...{ user_id: userId, channel_id: channel.id, since_event_id: number, until_event_id: number + 1 },
        ...{ since_message_id: first - 1, until_message_id: last },
      };
    }
  }
}
