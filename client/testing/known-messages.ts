import assert from 'node:assert/strict';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Message, ServerEvent } from '../src/calls/types.ts';
import { type MessageRecord, recordOf } from '../src/model/messages/message-record.ts';
import type { Model } from '../src/model/model.ts';

/**
 * The messages that events announced. The model holds them, as if a window showed them. A client that is not subscribed
 * receives no more events of a channel, so their messages are dropped.
 */
export class KnownMessages {
  readonly #model: Model;
  readonly #ids = new Set<number>();

  constructor(model: Model) {
    this.#model = model;
  }

  /** Call this after the model applied the event. */
  follow(event: ServerEvent): void {
    const { messages } = this.#model.cache;
    switch (event.type) {
      case 'message':
        messages.hold([recordOf(event.message, this.#model.ownId, event.flags)]);
        this.#ids.add(event.message.id);
        break;
      case 'delete_message':
        this.#drop('message_ids' in event ? event.message_ids : [event.message_id]);
        break;
      case 'update_message':
        if (event.new_stream_id !== undefined) this.#leave([event.new_stream_id]);
        break;
      case 'subscription':
        if (event.op === 'remove') this.#leave(event.subscriptions.map(({ stream_id: id }) => id));
        break;
      case 'stream':
        if (event.op === 'delete') this.#leave(event.stream_ids);
    }
  }

  /** Drops the messages of these channels, unless the user is subscribed. */
  #leave(channelIds: readonly number[]): void {
    const left = new Set(channelIds.filter((id) => !this.#model.isSubscribed(id)));
    if (left.size === 0) return;
    const isLeft = ({ place }: MessageRecord) => place.kind === 'topic' && left.has(place.channelId);
    this.#drop(this.#records().flatMap((record) => (isLeft(record) ? record.id : [])));
  }

  #drop(ids: readonly number[]): void {
    const known = ids.filter((id) => this.#ids.delete(id));
    this.#model.cache.messages.release(known);
  }

  #records(): MessageRecord[] {
    return [...this.#ids].flatMap((id) => this.#model.cache.messages.get(id) ?? []);
  }

  /** Compares reactions, submessages and flags with those of fetched messages. */
  async compare(client: TestClient): Promise<void> {
    if (this.#ids.size === 0) return;
    const { messages } = await client.ok('GET', '/messages', { message_ids: [...this.#ids] });
    const fetched = new Map((messages as Message[]).map((one) => [one.id, recordOf(one, this.#model.ownId)]));
    for (const record of this.#records()) {
      const now = fetched.get(record.id);
      // Messages may have been moved or deleted without an event for the client.
      if (now === undefined || channelOf(now) !== channelOf(record)) continue;
      assert.deepEqual(comparable(record), comparable(now), `message ${record.id}`);
    }
  }
}

function channelOf({ place }: MessageRecord): number | undefined {
  return place.kind === 'topic' ? place.channelId : undefined;
}

function comparable({ id, senderId, timestamp, reactions, submessages, ...flags }: MessageRecord): object {
  const { isRead, isStarred, isCollapsed, isMentioned, isChannelMentioned, isTopicMentioned, isHistorical } = flags;
  return {
    ...{ id, senderId, timestamp, reactions, submessages },
    ...{ isRead, isStarred, isCollapsed, isMentioned, isChannelMentioned, isTopicMentioned, isHistorical },
  };
}
