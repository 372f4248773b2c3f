/** A client with the model of the app, which a test leads step by step: it polls only when the test says so. */
import assert from 'node:assert/strict';
import type { TestClient, TestQueue } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { until } from '../../server/src/testing/server/until.ts';
import { Connection } from '../src/calls/connection.ts';
import type { InitialState, Message, ServerEvent } from '../src/calls/types.ts';
import type { Anchor } from '../src/model/messages/message-pages.ts';
import { type MessageRecord, recordOf } from '../src/model/messages/message-record.ts';
import type { MessageWindow } from '../src/model/messages/message-window.ts';
import { channelOfNarrow, type Narrow, wireNarrow } from '../src/model/messages/narrow.ts';
import { keepsRead } from '../src/model/messages/narrow-match.ts';
import type { OutgoingMessage } from '../src/model/messages/outbox.ts';
import { Model } from '../src/model/model.ts';
import { GatedFetch } from './gated-fetch.ts';
import { checkStated } from './stated-model.ts';

/** What the app registers with. */
const REGISTRATION = {
  apply_markdown: true,
  client_gravatar: true,
  include_subscribers: false,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true, // wire name: the capability's name
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    pinned_messages: true,
    gif_picker: true,
    brief_users: true,
  },
};

/** How many steps the message of a failure tells. */
const LOGGED = 80;

/** More messages than a run creates. */
const ALL = 4_000;

export class ModelClient {
  readonly client: TestClient;
  readonly network: GatedFetch;
  model: Model;
  saved: readonly OutgoingMessage[] = [];
  #queue: TestQueue;
  /** What happened, for failed tests. */
  readonly #log: string[] = [];
  readonly #options: ConstructorParameters<typeof Model>[1];
  /** What the client cannot know from its events, although a new registration says it. */
  unknown = new Unknown();

  private constructor(client: TestClient, url: string, queue: TestQueue, pageDivisor: number) {
    this.client = client;
    this.network = new GatedFetch(pageDivisor);
    this.#queue = queue;
    const { email, apiKey } = client;
    this.#options = {
      connection: new Connection({ url, credentials: { email, apiKey }, fetch: this.network.fetch }),
      untilRetry: () => new Promise((resolve) => setImmediate(resolve)),
      pauseAfterEvent: () => Promise.resolve(),
      saveOutbox: (messages) => {
        this.saved = messages;
      },
    };
    this.model = new Model(queue.state as InitialState, this.#options);
  }

  /** @param pageDivisor how much smaller the pages of messages are, so that few messages fill several */
  static async start(client: TestClient, url: string, pageDivisor = 1): Promise<ModelClient> {
    return new ModelClient(client, url, await client.register(REGISTRATION), pageDivisor);
  }

  /** Applies all pending events. If the queue is gone, the client registers again, and its cache stays. */
  async catchUp(): Promise<void> {
    await until(async () => {
      const events = await this.#queue.unlessGone('now');
      if (events === undefined) await this.#registerAgain();
      for (const event of (events ?? []) as ServerEvent[]) {
        this.note(`event ${JSON.stringify(brief(event))}`);
        this.unknown.add(event);
        this.model.apply(event);
      }
      return events?.length === 0;
    }, 'the last pending event');
  }

  /** The server forgets the queue, like one of a computer that slept overnight. */
  async loseQueue(): Promise<void> {
    await this.client.call('DELETE', '/events', { queue_id: this.#queue.id });
  }

  async #registerAgain(): Promise<void> {
    this.note('registered again');
    this.#queue = await this.client.register(REGISTRATION);
    this.model = new Model(this.#queue.state as InitialState, this.#options, this.model);
    this.unknown = new Unknown();
  }

  /** The page is closed. The server still executes what it received. */
  async abandon(): Promise<void> {
    await this.network.cut();
    this.model.stop();
  }

  /** Opens the window of a narrow as a view does: it observes the window, so that a stale window loads again. */
  look(narrow: Narrow, anchor: Anchor): MessageWindow {
    const window = this.model.cache.windows.of(narrow);
    if (!window.isObserved) window.changes.subscribe(() => undefined);
    void window.open(anchor);
    const channelId = channelOfNarrow(narrow);
    const { pinned } = this.model.cache;
    if (channelId !== undefined && !pinned.observed.includes(channelId)) pinned.observe(channelId);
    return window;
  }

  /** Waits for all requests and events. */
  async settle(): Promise<void> {
    this.network.release();
    await this.network.idle();
    await this.model.cache.marks.flush();
    await this.catchUp();
    await this.network.idle();
    await this.catchUp();
    await this.network.idle();
  }

  /** Remembers what the test did, for the message of a failure. */
  note(text: string): void {
    this.#log.push(text);
  }

  /**
   * Compares the model with the server.
   * @throws Error with what happened before
   */
  async compare(): Promise<void> {
    await this.settle();
    await this.#compareAll().catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${message}\n\nBefore:\n${this.#log.slice(-LOGGED).join('\n')}\n`);
    });
    this.note('compared');
  }

  async #compareAll(): Promise<void> {
    for (const window of this.model.cache.windows.loaded()) {
      // Nothing announces changes to it. Who looks at it again loads it again.
      if (!window.isLive && window.state === 'ready') void window.open('newest');
    }
    await this.network.idle();
    const queue = await this.client.register(REGISTRATION);
    const fresh = new Model(queue.state as InitialState, this.#options);
    await this.client.call('DELETE', '/events', { queue_id: queue.id });
    assert.deepEqual(this.unknown.without(this.model), this.unknown.without(fresh));
    checkStated(this.model);
    for (const window of this.model.cache.windows.loaded()) await this.#compareWindow(window);
    for (const channelId of this.model.cache.pinned.observed) await this.#comparePins(channelId);
  }

  async #comparePins(channelId: number): Promise<void> {
    const { body } = await this.client.call('GET', `/streams/${channelId}/pinned_messages`);
    const known = this.model.cache.pinned
      .all(channelId)
      .map(({ messageId, topic, place }) => [messageId, topic, place]);
    const now = (body.pinned_messages ?? []).map((one: Json) => [one.message_id, one.topic, one.place]);
    assert.deepEqual(known, now, `${this.client.name}: the pinned messages of channel ${channelId}`);
  }

  async #compareWindow(window: MessageWindow): Promise<void> {
    if (window.state === 'empty') return;
    const name = `${this.client.name}: ${JSON.stringify(window.narrow)}`;
    const answer = await this.client.call('GET', '/messages', {
      narrow: wireNarrow(window.narrow),
      anchor: 'newest',
      num_before: ALL,
      num_after: 0,
      allow_empty_topic_name: true,
      client_gravatar: false,
    });
    if (answer.body.result !== 'success') {
      assert.deepEqual(window.ids, [], `${name}: it shows messages that the server refuses`);
      return;
    }
    assert(['ready', 'failed'].includes(window.state), `${name} is ${window.state}`);
    if (window.state === 'failed') return;
    assert.equal(window.isStale, false, `${name} is stale`);
    const { cache } = this.model;
    const { ids, foundOldest, foundNewest } = window;
    const [first, last] = [ids[0], ids.at(-1)];
    const messages: Message[] = answer.body.messages;
    const records = messages.map((message) => recordOf(message, this.client.userId));
    const range = records.filter(({ id }) => {
      if (first === undefined || last === undefined) return foundOldest && foundNewest;
      return (foundOldest || id >= first) && (foundNewest || id <= last);
    });
    const isAnnounced = ({ place }: Pick<MessageRecord, 'place'>) =>
      !window.isLive || place.kind === 'direct' || this.model.isSubscribed(place.channelId);
    const shown = ids.map((id) => cache.messages.get(id)).filter((record) => record !== undefined);
    assert.deepEqual(
      // What the user reads stays visible in a list of unread messages.
      shown.filter((one) => isAnnounced(one) && !(one.isRead && keepsRead(window.narrow))).map(comparable),
      range.filter(isAnnounced).map(comparable),
      `${name} (found oldest ${foundOldest}, newest ${foundNewest})`,
    );
    assert.equal(shown.length, ids.length, `${name}: the window holds its messages`);
  }
}

/** Without what is only true at the time of the request: names of senders, and links by the linkifiers of then. */
function comparable(record: ReturnType<typeof recordOf>): object {
  const { senderName, senderEmail, avatarUrl, topicLinks, matchContent, matchTopic, ...rest } = record;
  return rest;
}

/** Events of directories have many fields. */
function brief(event: ServerEvent): object {
  if (event.type !== 'message') return event;
  const { message, flags } = event;
  const { id, sender_id, type, stream_id, subject, display_recipient } = message;
  return { type: 'message', message: { id, sender_id, type, stream_id, subject, display_recipient }, flags };
}

class Unknown {
  /** Channels that were hidden for a time. The client missed the events about their messages. */
  readonly #hidden = new Set<number>();
  /** After the deletion of a direct message, only the server knows the newest message of its conversation. */
  #hasDeletions = false;

  add(event: ServerEvent): void {
    if (event.type === 'stream' && event.op === 'create') {
      for (const one of event.streams) if (one.first_message_id !== null) this.#hidden.add(one.stream_id);
    }
    if (event.type === 'stream' && event.op === 'delete') for (const id of event.stream_ids) this.#hidden.add(id);
    if (event.type === 'delete_message' && event.message_type === 'private') this.#hasDeletions = true;
  }

  without(model: Model): object {
    const { unread, starred, directConversations } = model;
    const groups = [...unread.groups()].filter(
      ({ place }) => place.kind === 'direct' || !this.#hidden.has(place.channelId),
    );
    return {
      unread: groups.map(plainGroup).sort((a, b) => a.place.localeCompare(b.place)),
      channels: [...unread.channelIds()]
        .filter((id) => !this.#hidden.has(id))
        .sort((a, b) => a - b)
        .map((id) => ({ id, ...countsOf(unread, id) })),
      direct: unread.directCount,
      starred: starred.plain(),
      directConversations: this.#hasDeletions ? undefined : directConversations.plain(),
    };
  }
}

function countsOf(unread: Model['unread'], channelId: number) {
  const { count, mutedCount, mentions } = unread.ofChannel(channelId);
  return { count, mutedCount, mentions };
}

function plainGroup({
  place,
  ids,
  mentions,
}: ReturnType<Model['unread']['groups']> extends Iterable<infer G> ? G : never) {
  const sorted = (all: ReadonlySet<number>) => [...all].sort((a, b) => a - b);
  const key = place.kind === 'topic' ? `${place.channelId}:${place.topic}` : `d${place.userIds}`;
  return { place: key.toLowerCase(), ids: sorted(ids), mentions: sorted(mentions) };
}
