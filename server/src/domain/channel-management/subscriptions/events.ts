import type { SubscriptionSettings } from '@heddle/api/subscription-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import type { Queue, QueueSettings } from '../../../log/queue.ts';
import { presentChannel } from '../../channels/present.ts';
import type { SubscriptionEvent } from '../../channels/subscription-event.ts';
import { ANYBODY, settingsOf, settingsText } from './present.ts';

type Added = Extract<SubscriptionEvent, { readonly op: 'add' }>;
type PeersChanged = Extract<SubscriptionEvent, { readonly op: 'peer_add' | 'peer_remove' }>;

/**
 * The parts that all new subscribers of an event share: the channel's JSON without its last brace, and the settings of
 * each user.
 */
interface Joined {
  readonly settings: ReadonlyMap<number, SubscriptionSettings>;
  readonly channel: string;
  /** `,"subscribers":[…]`, made for the first reader who wants it. */
  subscribers: string | undefined;
}

interface Peers {
  readonly users: ReadonlySet<number>;
  readonly list: string;
}

/** The fields of the reader's own settings, without braces. */
function ownSettings(joined: Joined, queue: Queue): string {
  const settings = joined.settings.get(queue.userId);
  if (settings === undefined) throw new Error(`user ${queue.userId} was not subscribed by the event`);
  // The general settings of the reader may have changed since. The event must be the same whenever it is read, so it
  // uses the initial values.
  const insteadOfNull = queue.settings.capabilities.notificationSettingsNull ? undefined : ANYBODY;
  return settingsText(settings, { insteadOfNull });
}

/**
 * The API event without its personal parts, which are the own subscriptions and the lists of peers without the reader.
 */
function presentSubscriptionEvent(
  event: LoggedEvent,
  settings: QueueSettings,
  _: UserRecord,
  directory: Directory,
): object | null {
  const body = event.body as SubscriptionEvent;
  const isArchived = body.op === 'add' ? body.view.channel.isArchived : body.isArchived;
  const knowsArchived = settings.capabilities.archivedChannels;
  if (isArchived && !knowsArchived) return null;
  if (knowsArchived && 'isBack' in body && body.isBack) return null;
  const { op } = body;
  switch (op) {
    case 'add':
      return { type: 'subscription', op };
    case 'remove':
      return { type: 'subscription', op, subscriptions: [{ stream_id: body.channelId, name: body.name }] };
    case 'update':
      return { type: 'subscription', op, stream_id: body.channelId, property: body.property, value: body.value };
    case 'peers': {
      const user_ids = subscribersAfter(event, body.channelId, body.deactivated, directory);
      return { type: 'subscription', op: 'peer_add', stream_ids: [body.channelId], user_ids };
    }
    case 'peer_add':
    case 'peer_remove':
      return { type: 'subscription', op, stream_ids: [body.channelId] };
  }
}

/** Computes a value once per event, and keeps it as long as the event is in memory. */
function remembered<Value>(compute: (event: LoggedEvent) => Value): (event: LoggedEvent) => Value {
  const values = new WeakMap<LoggedEvent, { readonly value: Value }>();
  return (event) => {
    let known = values.get(event);
    if (known === undefined) {
      known = { value: compute(event) };
      values.set(event, known);
    }
    return known.value;
  };
}

const joinedBy = remembered((event): Joined => {
  const { view, members } = event.body as Added;
  const channel = JSON.stringify(presentChannel(view)).slice(0, -1);
  return {
    settings: new Map(members.map((member) => [member[0], settingsOf(member)])),
    channel,
    subscribers: undefined,
  };
});

const peersOf = remembered((event): Peers => {
  const { userIds } = event.body as PeersChanged;
  return { users: new Set(userIds), list: JSON.stringify(userIds) };
});

/** The subscribers at the event, not the current ones. The reader gets later changes from the events that follow. */
function subscribersAfter(
  event: LoggedEvent,
  channelId: number,
  deactivated: readonly number[],
  directory: Directory,
): number[] {
  const subscribers = directory.subscriptions.after(channelId, event.id);
  const uncounted = new Set(deactivated);
  return subscribers.filter((userId) => !uncounted.has(userId)).sort((a, b) => a - b);
}

function ownSubscription(event: LoggedEvent, added: Added, queue: Queue, directory: Directory): string {
  const joined = joinedBy(event);
  let subscribers = '';
  if (queue.settings.includeSubscribers !== 'false') {
    const { view, deactivated } = added;
    joined.subscribers ??= `,"subscribers":${JSON.stringify(subscribersAfter(event, view.channel.id, deactivated, directory))}`;
    subscribers = joined.subscribers;
  }
  return `"subscriptions":[${joined.channel},${ownSettings(joined, queue)}${subscribers}}]`;
}

/** All peers except the reader, who got a separate event. */
function otherPeers(event: LoggedEvent, queue: Queue): string {
  const { users, list } = peersOf(event);
  if (!users.has(queue.userId)) return `"user_ids":${list}`;
  return `"user_ids":${JSON.stringify([...users].filter((userId) => userId !== queue.userId))}`;
}

export const subscriptionPresenter: Presenter = {
  variant: ({ capabilities }) => (capabilities.archivedChannels ? 'archived' : ''),
  present: presentSubscriptionEvent,
  personal(event, queue, _, directory) {
    const body = event.body as SubscriptionEvent;
    switch (body.op) {
      case 'add':
        return ownSubscription(event, body, queue, directory);
      case 'peer_add':
      case 'peer_remove':
        return otherPeers(event, queue);
      default:
        return '';
    }
  },
  wants(event, queue) {
    const body = event.body as SubscriptionEvent;
    // A new subscriber gets the whole list of subscribers instead, including users who joined at the same time.
    if (body.op === 'peer_add') return !peersOf(event).users.has(queue.userId);
    if (body.op === 'peer_remove') return body.userIds.length > 1 || body.userIds[0] !== queue.userId;
    return true;
  },
};
