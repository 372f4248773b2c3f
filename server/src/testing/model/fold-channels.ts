import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';
import type { KnownReactions } from './known-reactions.ts';

export const CHANNEL_LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const;

/**
 * Applies events about channels and subscriptions, as a client does. A part of `Picture` (fold.ts), whose state it
 * changes.
 */
export class ChannelsOfPicture {
  readonly #state: Json;
  readonly #ownId: number;
  readonly #wantsSubscribers: boolean;
  readonly #reactions: KnownReactions;
  /** Channels that the client knows from an event. The events do not say whether its user was subscribed before. */
  readonly learned = new Set<number>();

  constructor(state: Json, ownId: number, wantsSubscribers: boolean, reactions: KnownReactions) {
    this.#state = state;
    this.#ownId = ownId;
    this.#wantsSubscribers = wantsSubscribers;
    this.#reactions = reactions;
  }

  changeChannels(event: Json): void {
    switch (event.op) {
      case 'create':
        for (const channel of event.streams) this.#learn(channel);
        break;
      case 'delete':
        for (const name of CHANNEL_LISTS) {
          this.#state[name] &&= this.#state[name].filter((one: Json) => !event.stream_ids.includes(one.stream_id));
        }
        break;
      case 'update':
        for (const one of this.#copiesOf(event.stream_id)) {
          const { property, value, rendered_description, history_public_to_subscribers, is_web_public } = event;
          assert(property in one, `the client knows ${property} of channels`);
          one[property] = structuredClone(value);
          if (property === 'description') Object.assign(one, { rendered_description });
          if (property === 'invite_only') Object.assign(one, { history_public_to_subscribers, is_web_public });
        }
        break;
      default:
        assert.fail(`stream, op ${event.op}`);
    }
  }

  #learn(channel: Json): void {
    const { streams, never_subscribed } = this.#state;
    assert(!streams?.some((one: Json) => one.stream_id === channel.stream_id), 'the channel is new to the client');
    streams?.push(structuredClone(channel));
    this.learned.add(channel.stream_id);
    const empty = this.#wantsSubscribers ? { subscribers: [] } : {};
    never_subscribed?.push({ ...structuredClone(channel), ...empty });
  }

  isSubscribed(channelId: number): boolean {
    return this.#state.subscriptions?.some((one: Json) => one.stream_id === channelId) ?? false;
  }

  changeSubscriptions(event: Json): void {
    switch (event.op) {
      case 'add':
        for (const added of event.subscriptions) this.#join(added);
        break;
      case 'remove':
        for (const { stream_id } of event.subscriptions) this.#leave(stream_id);
        break;
      case 'update': {
        const one = this.#state.subscriptions.find((known: Json) => known.stream_id === event.stream_id);
        assert(one !== undefined, 'the setting is of a subscription that the client knows');
        one[event.property] = event.value;
        break;
      }
      case 'peer_add':
        for (const id of event.stream_ids) this.#peers(id, event.user_ids, []);
        break;
      case 'peer_remove':
        for (const id of event.stream_ids) this.#peers(id, [], event.user_ids);
        break;
      default:
        assert.fail(`subscription, op ${event.op}`);
    }
  }

  #join(added: Json): void {
    const state = this.#state;
    const isOther = (one: Json) => one.stream_id !== added.stream_id;
    const channel = state.streams?.find((one: Json) => !isOther(one));
    assert(
      channel !== undefined || state.streams === undefined,
      'the client knows the channel before the subscription',
    );
    if (channel !== undefined) channel.subscriber_count = added.subscriber_count;
    this.learned.delete(added.stream_id);
    state.unsubscribed = state.unsubscribed.filter(isOther);
    state.never_subscribed = state.never_subscribed.filter(isOther);
    assert(state.subscriptions.every(isOther), 'the subscription is new to the client');
    state.subscriptions.push(structuredClone(added));
  }

  /** Another event updates the unread messages of the channel. */
  #leave(id: number): void {
    const state = this.#state;
    const left = state.subscriptions.find((one: Json) => one.stream_id === id);
    assert(left !== undefined, 'the client knows the subscription that ends');
    state.subscriptions = state.subscriptions.filter((one: Json) => one !== left);
    state.unsubscribed.push(left);
    this.#reactions.leave(id);
    this.#peers(id, [], [this.#ownId]);
  }

  #peers(id: number, added: readonly number[], removed: readonly number[]): void {
    const copies = this.#copiesOf(id);
    assert(copies.length > 0, 'peers change in channels that the client knows');
    for (const one of copies) {
      one.subscriber_count += added.length - removed.length;
      if (one.subscribers === undefined) continue;
      assert(!added.some((userId) => one.subscribers.includes(userId)), 'who is added was not there');
      assert(
        removed.every((userId) => one.subscribers.includes(userId)),
        'who is removed was there',
      );
      one.subscribers = [...one.subscribers, ...added].filter((userId) => !removed.includes(userId));
    }
  }

  #copiesOf(id: number): Json[] {
    return CHANNEL_LISTS.flatMap((name) => (this.#state[name] ?? []).filter((one: Json) => one.stream_id === id));
  }
}
