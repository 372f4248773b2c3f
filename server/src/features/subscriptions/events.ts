import type { LoggedEvent } from '../../log/event.ts';
import type { Presenters } from '../../log/presentation.ts';
import type { Queue, QueueSettings } from '../../log/queue.ts';
import { presentChannel } from '../channels/present.ts';
import type { Rooms } from '../rooms.ts';
import { presentSettings, type SubscriptionEvent } from './present.ts';
import type { SubscriptionSettings } from './settings.ts';

type Added = Extract<SubscriptionEvent, { readonly op: 'add' }>;

/** What all who are subscribed by an event have in common: the channel without its last brace, and each one's settings. */
interface Joined {
  readonly settings: ReadonlyMap<number, SubscriptionSettings>;
  readonly channel: string;
  /** `,"subscribers":[…]`, made when the first reader wants it. */
  subscribers: string | undefined;
}

export function presentSubscriptions(presenters: Presenters, rooms: Pick<Rooms, 'organizations'>): void {
  const joined = new WeakMap<LoggedEvent, Joined>();

  function joinedBy(event: LoggedEvent, body: Added): Joined {
    let known = joined.get(event);
    if (known === undefined) {
      const channel = JSON.stringify(presentChannel(body.view)).slice(0, -1);
      known = { settings: new Map(body.members), channel, subscribers: undefined };
      joined.set(event, known);
    }
    return known;
  }

  /** As of the event and not of now: what happened since, the reader learns from the events that follow. */
  function subscribersAfter(event: LoggedEvent, channelId: number): number[] {
    const directory = rooms.organizations.inMemoryById(event.organizationId)?.directory;
    if (directory === undefined) throw new Error(`organization ${event.organizationId} is read and not in memory`);
    const subscribers = directory.subscriptions.after(channelId, event.id);
    return subscribers.filter((userId) => directory.user(userId)?.isActive).sort((a, b) => a - b);
  }

  presenters.add('subscription', {
    variant: ({ capabilities }) => (capabilities.archivedChannels ? 'archived' : ''),
    present: presentSubscriptionEvent,
    personal(event, queue) {
      const body = event.body as SubscriptionEvent;
      if (body.op !== 'add') return '';
      const common = joinedBy(event, body);
      let subscribers = '';
      if (queue.settings.includeSubscribers !== 'false') {
        common.subscribers ??= `,"subscribers":${JSON.stringify(subscribersAfter(event, body.view.channel.id))}`;
        subscribers = common.subscribers;
      }
      return `"subscriptions":[${common.channel},${ownSettings(common, queue)}${subscribers}}]`;
    },
  });
}

/** The members of the reader's own settings, without braces. */
function ownSettings(joined: Joined, queue: Queue): string {
  const settings = joined.settings.get(queue.userId);
  if (settings === undefined) throw new Error(`user ${queue.userId} was not subscribed by the event`);
  const { notificationSettingsNull } = queue.settings.capabilities;
  return JSON.stringify(presentSettings(settings, { knowsNull: notificationSettingsNull })).slice(1, -1);
}

function presentSubscriptionEvent(event: LoggedEvent, settings: QueueSettings): object | null {
  const body = event.body as SubscriptionEvent;
  const isArchived = body.op === 'add' ? body.view.channel.isArchived : body.isArchived;
  if (isArchived && !settings.capabilities.archivedChannels) return null;
  const { op } = body;
  switch (op) {
    case 'add':
      return { type: 'subscription', op };
    case 'remove':
      return { type: 'subscription', op, subscriptions: [{ stream_id: body.channelId, name: body.name }] };
    case 'update':
      return { type: 'subscription', op, stream_id: body.channelId, property: body.property, value: body.value };
    case 'peer_add':
    case 'peer_remove':
      return { type: 'subscription', op, stream_ids: [body.channelId], user_ids: body.userIds };
  }
}
