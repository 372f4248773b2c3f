import type { Channel, EventOfType, InitialState, NeverSubscribedChannel, Subscription } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';
import type { Account } from '../own/account.ts';
import { namedUsers, permissionsWithoutUser } from '../people/group-values.ts';
import {
  type ChannelRecord,
  changedByUpdate,
  changedSettings,
  channelRecord,
  subscriptionSettings,
} from './channel-record.ts';
import { type KnownSubscribers, Subscribers } from './subscribers.ts';

type WithSubscribers = Pick<NeverSubscribedChannel, 'subscribers' | 'partial_subscribers'>;

/**
 * The channels that the account knows, and its subscriptions.
 *
 * Invariants:
 * - A channel without a record is hidden from the account or does not exist.
 * - A subscribed channel has settings. A channel without settings was never subscribed, or the client learned of it by
 *   an event, which does not say so.
 * - No permission of a channel names a deactivated user.
 */
export class Channels {
  /** Notified of every change of any channel. */
  readonly changes = new Subject();
  /** The same for one channel. */
  readonly changesOf = new KeyedSubject<number>();
  /** Notified when a list of channels can change: names, folders, subscriptions, pins, muting, archiving, activity. */
  readonly orderChanges = new Subject();
  readonly #ownId: number | undefined;
  readonly #channels = new Map<number, ChannelRecord>();
  readonly #idsByName = new Map<string, number>();
  readonly #subscribed = new Set<number>();
  readonly #subscribers = new Subscribers();
  readonly #listed = new Set<number>();
  /** The channels whose permissions named a user at some time. So a deactivation need not visit all channels. */
  readonly #naming = new Map<number, Set<number>>();

  constructor(state: InitialState, account: Account) {
    this.#ownId = account.userId;
    for (const channel of state.streams ?? []) this.#put(channelRecord(channel));
    for (const channel of state.never_subscribed ?? []) this.#putWithSubscribers(channel, channelRecord(channel));
    for (const one of state.unsubscribed ?? []) this.#putSubscription(one, false);
    for (const one of state.subscriptions ?? []) this.#putSubscription(one, true);
  }

  /** All known channels by id, also archived ones. */
  get all(): ReadonlyMap<number, ChannelRecord> {
    return this.#channels;
  }

  /** The ids of the subscribed channels, also archived ones. */
  get subscribedIds(): ReadonlySet<number> {
    return this.#subscribed;
  }

  get(channelId: number): ChannelRecord | undefined {
    return this.#channels.get(channelId);
  }

  /** Finds the channel with this name. Case does not matter. */
  byName(name: string): ChannelRecord | undefined {
    const id = this.#idsByName.get(name.toLowerCase());
    return id === undefined ? undefined : this.#channels.get(id);
  }

  isSubscribed(channelId: number): boolean {
    return this.#subscribed.has(channelId);
  }

  /** The channels whose subscribers the client has asked for, in the order of the responses. */
  get listedIds(): Iterable<number> {
    return this.#listed;
  }

  /** What is known about the subscribers of a channel. `GET /streams/{id}/members` has the rest. */
  subscribersOf(channelId: number): KnownSubscribers {
    return this.#subscribers.of(channelId, this.#channels.get(channelId)?.subscriberCount ?? 0);
  }

  /** Completes the list of subscribers with the response of `GET /streams/{id}/members`. */
  setSubscribers(channelId: number, userIds: readonly number[]): void {
    this.#subscribers.set(channelId, userIds);
    this.#listed.delete(channelId);
    this.#listed.add(channelId);
    this.#notify(channelId);
  }

  /** Whether the user is subscribed. Undefined if unknown, because the list is not complete. */
  isSubscriber(channelId: number, userId: number): boolean | undefined {
    if (userId === this.#ownId) return this.isSubscribed(channelId);
    const { ids, isComplete } = this.subscribersOf(channelId);
    return ids.has(userId) || (isComplete ? false : undefined);
  }

  /** Channels came, went or changed. */
  applyChannel(event: EventOfType<'stream'>): void {
    if (event.op === 'create') {
      for (const channel of event.streams) {
        this.#subscribers.set(channel.stream_id, undefined);
        this.#put(channelRecord(channel));
      }
    } else if (event.op === 'delete') {
      for (const id of event.stream_ids) this.#delete(id);
    } else {
      const before = this.#channels.get(event.stream_id);
      if (before !== undefined) this.#put({ ...before, ...changedByUpdate(before, event) });
    }
  }

  applySubscription(event: EventOfType<'subscription'>): void {
    switch (event.op) {
      case 'add':
        for (const subscription of event.subscriptions) this.#putSubscription(subscription, true);
        break;
      case 'remove':
        for (const { stream_id } of event.subscriptions) this.#leave(stream_id);
        break;
      case 'update':
        this.#changeSettings(event.stream_id, event.property, event.value);
        break;
      case 'peer_add':
        for (const id of event.stream_ids) this.#addPeers(id, event.user_ids);
        break;
      case 'peer_remove':
        for (const id of event.stream_ids) this.#removePeers(id, event.user_ids);
    }
  }

  /** A deactivated user disappears from permissions without an event. Other events announce the subscriptions. */
  applyUser(event: EventOfType<'realm_user'>): void {
    if (event.op !== 'update' || !('is_active' in event.person) || event.person.is_active) return;
    const { user_id: userId } = event.person;
    for (const id of this.#naming.get(userId) ?? []) {
      const channel = this.#channels.get(id);
      if (channel === undefined) continue;
      this.#put({ ...channel, permissions: permissionsWithoutUser(channel.permissions, userId) });
    }
    this.#naming.delete(userId);
  }

  #putSubscription(subscription: Subscription, isSubscribed: boolean): void {
    const own = { isSubscribed, settings: subscriptionSettings(subscription) };
    this.#putWithSubscribers(subscription, channelRecord(subscription, own));
  }

  /** Without a list, the known subscribers stay. */
  #putWithSubscribers(wire: WithSubscribers & Channel, record: ChannelRecord): void {
    const listed = wire.subscribers ?? wire.partial_subscribers;
    if (listed !== undefined) this.#subscribers.set(record.id, listed);
    else if (record.isSubscribed && this.#ownId !== undefined) this.#subscribers.add(record.id, [this.#ownId]);
    this.#put(record);
  }

  #put(channel: ChannelRecord): void {
    const before = this.#channels.get(channel.id);
    this.#channels.set(channel.id, channel);
    if (before?.name !== channel.name) {
      if (before !== undefined) this.#forgetName(before);
      this.#idsByName.set(channel.name.toLowerCase(), channel.id);
    }
    if (channel.isSubscribed) this.#subscribed.add(channel.id);
    else this.#subscribed.delete(channel.id);
    if (before?.permissions !== channel.permissions) this.#index(channel);
    if (changesOrder(before, channel)) this.orderChanges.changed();
    this.#notify(channel.id);
  }

  #delete(channelId: number): void {
    const channel = this.#channels.get(channelId);
    if (channel === undefined) return;
    this.#channels.delete(channelId);
    this.#forgetName(channel);
    this.#subscribed.delete(channelId);
    this.#subscribers.set(channelId, undefined);
    this.#listed.delete(channelId);
    this.orderChanges.changed();
    this.#notify(channelId);
  }

  #leave(channelId: number): void {
    const channel = this.#channels.get(channelId);
    if (channel === undefined || !channel.isSubscribed) return;
    if (this.#ownId !== undefined) this.#subscribers.remove(channelId, [this.#ownId]);
    this.#put({ ...channel, isSubscribed: false, subscriberCount: channel.subscriberCount - 1 });
  }

  #changeSettings(channelId: number, property: string, value: unknown): void {
    const channel = this.#channels.get(channelId);
    if (channel === undefined || channel.settings === null) return;
    const settings = changedSettings(channel.settings, property, value);
    if (settings !== channel.settings) this.#put({ ...channel, settings });
  }

  #addPeers(channelId: number, userIds: readonly number[]): void {
    const channel = this.#channels.get(channelId);
    if (channel === undefined) return;
    this.#subscribers.add(channelId, userIds);
    this.#put({ ...channel, subscriberCount: channel.subscriberCount + userIds.length });
  }

  #removePeers(channelId: number, userIds: readonly number[]): void {
    const channel = this.#channels.get(channelId);
    if (channel === undefined) return;
    this.#subscribers.remove(channelId, userIds);
    this.#put({ ...channel, subscriberCount: channel.subscriberCount - userIds.length });
  }

  #index({ id, permissions }: ChannelRecord): void {
    for (const value of Object.values(permissions)) {
      for (const userId of namedUsers(value)) {
        const channelIds = this.#naming.get(userId);
        if (channelIds === undefined) this.#naming.set(userId, new Set([id]));
        else channelIds.add(id);
      }
    }
  }

  #forgetName({ id, name }: ChannelRecord): void {
    if (this.#idsByName.get(name.toLowerCase()) === id) this.#idsByName.delete(name.toLowerCase());
  }

  #notify(channelId: number): void {
    this.changes.changed();
    this.changesOf.changed(channelId);
  }

  /** The content in comparable form. Has the lists of subscribers that are complete. */
  plain(): object {
    return [...this.#channels.values()]
      .sort((a, b) => a.id - b.id)
      .map((channel) => {
        const { ids, isComplete } = this.subscribersOf(channel.id);
        return { ...channel, subscribers: isComplete ? [...ids].sort((a, b) => a - b) : undefined };
      });
  }
}

function changesOrder(before: ChannelRecord | undefined, after: ChannelRecord): boolean {
  return (
    before === undefined ||
    before.name !== after.name ||
    before.folderId !== after.folderId ||
    before.isArchived !== after.isArchived ||
    before.isRecentlyActive !== after.isRecentlyActive ||
    before.isSubscribed !== after.isSubscribed ||
    before.settings?.isMuted !== after.settings?.isMuted ||
    before.settings?.isPinned !== after.settings?.isPinned
  );
}
