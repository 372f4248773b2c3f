/**
 * A simple model of messages: every message of a small organization, with every reader's state of it. Tests perform
 * operations through the model, so that server and model do the same, and compare.
 */
import assert from 'node:assert/strict';
import type { TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import { moveMessages } from '../server/message-changes.ts';
import { mentionAsOneOfMany } from '../server/rare-changes.ts';
import type { TestServer } from '../server/server.ts';

export type ModelChannelKind = 'public' | 'shared' | 'protected';

export interface ModelChannel {
  readonly id: number;
  readonly name: string;
  readonly kind: ModelChannelKind;
}

export interface ModelMessage {
  readonly id: number;
  readonly senderId: number;
  /** The original channel. */
  readonly home: ModelChannel | null;
  channel: ModelChannel | null;
  topic: string;
  /** Readers who were subscribed when the message arrived in its current channel. */
  welcomed: ReadonlySet<number>;
  readonly participants: readonly number[];
  mentionsChannel: boolean;
}

interface Span {
  readonly since: number;
  until: number;
}

export interface ModelTerm {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

export interface ModelQuery {
  readonly anchor: number | 'newest' | 'oldest' | 'first_unread';
  readonly num_before: number;
  readonly num_after: number;
  readonly include_anchor: boolean;
  readonly narrow: readonly ModelTerm[];
}

/** `many`: a user as one of so many that the mention has no flag rows. */
export type ModelMention = 'none' | 'all' | 'topic' | 'person' | 'many';

export interface ModelSend {
  readonly topic: string;
  readonly mention: ModelMention;
  /** Whether it starts as read for its sender. */
  readonly read: boolean;
}

/** Positive terms with which a narrow includes more than received messages. */
const REACHING = new Set(['channel', 'dm', 'id', 'is:unread', 'is:starred', 'is:mentioned']);
const BEYOND = 10_000_000_000_000_000;

/** The state of one reader. */
export class ModelReader {
  readonly client: TestClient;
  readonly isGuest: boolean;
  readonly spans = new Map<ModelChannel, Span[]>();
  /** Messages with the read flag, in every channel. Messages outside subscribed channels are not reported as unread. */
  readonly marked = new Set<number>();
  readonly starred = new Set<number>();
  readonly collapsed = new Set<number>();
  readonly mentioned = new Set<number>();
  readonly topicMentioned = new Set<number>();

  constructor(client: TestClient, isGuest: boolean) {
    this.client = client;
    this.isGuest = isGuest;
  }

  get id(): number {
    return this.client.userId;
  }

  isSubscribed(channel: ModelChannel): boolean {
    return this.spans.get(channel)?.at(-1)?.until === Number.POSITIVE_INFINITY;
  }

  isMember({ channel, participants }: ModelMessage): boolean {
    return channel === null ? participants.includes(this.id) : this.isSubscribed(channel);
  }

  isUnread(message: ModelMessage): boolean {
    return this.marked.has(message.id) && this.isMember(message);
  }

  received({ id, home, participants }: ModelMessage): boolean {
    if (home === null) return participants.includes(this.id);
    return this.spans.get(home)?.some((span) => span.since < id && id <= span.until) ?? false;
  }

  mayRead(message: ModelMessage): boolean {
    const { channel, participants } = message;
    if (channel === null) return participants.includes(this.id);
    if (!this.isSubscribed(channel)) return channel.kind === 'public' && !this.isGuest;
    return channel.kind === 'protected' ? this.received(message) || message.welcomed.has(this.id) : true;
  }

  isMentioned(message: ModelMessage): boolean {
    const { id, mentionsChannel } = message;
    return this.mentioned.has(id) || this.topicMentioned.has(id) || (mentionsChannel && this.received(message));
  }

  flags(message: ModelMessage): string[] {
    const { id } = message;
    const byChannel = message.mentionsChannel && this.received(message);
    const byTopic = this.topicMentioned.has(id);
    const all: [string, boolean][] = [
      ['read', !this.isUnread(message)],
      ['starred', this.starred.has(id)],
      ['collapsed', this.collapsed.has(id)],
      ['mentioned', this.mentioned.has(id)],
      ['stream_wildcard_mentioned', byChannel],
      ['topic_wildcard_mentioned', byTopic],
      ['wildcard_mentioned', byChannel || byTopic],
      ['historical', !this.received(message)],
    ];
    return all.flatMap(([flag, holds]) => (holds ? [flag] : []));
  }
}

/** The expected messages of a server. The first reader subscribes the others, and is in every channel. */
export class MessageModel {
  readonly readers: readonly ModelReader[];
  readonly channels: readonly ModelChannel[];
  readonly messages: ModelMessage[] = [];
  #head = 0;

  constructor(clients: readonly { client: TestClient; isGuest: boolean }[], channels: readonly ModelChannel[]) {
    this.readers = clients.map(({ client, isGuest }) => new ModelReader(client, isGuest));
    this.channels = channels;
    for (const channel of channels)
      this.readers[0]?.spans.set(channel, [{ since: 0, until: Number.POSITIVE_INFINITY }]);
  }

  reader(index: number): ModelReader {
    const reader = this.readers[index % this.readers.length];
    assert(reader !== undefined);
    return reader;
  }

  channel(index: number): ModelChannel {
    const channel = this.channels[index % this.channels.length];
    assert(channel !== undefined);
    return channel;
  }

  /** The messages at these indexes, as often as they are given. */
  pick(indexes: readonly number[]): ModelMessage[] {
    return indexes.flatMap((index) => this.messages[index % Math.max(this.messages.length, 1)] ?? []);
  }

  /** Sends to a channel, or sends as the first reader if this one may not. */
  async send(server: TestServer, sender: ModelReader, channel: ModelChannel, { topic, mention, read }: ModelSend) {
    const author = sender.isSubscribed(channel) ? sender : this.reader(0);
    const text = textMentioning(mention, this.reader(2));
    const id = await author.client.send(channel.id, topic, text, { read_by_sender: read });
    if (mention === 'many') await mentionAsOneOfMany(server, id, this.reader(2).id);
    const message = {
      id,
      senderId: author.id,
      home: channel,
      channel,
      topic,
      participants: [],
      mentionsChannel: false,
      welcomed: new Set<number>(),
    };
    this.#arrive(message);
    this.#mention(message, mention);
    for (const reader of this.readers) {
      if (reader.isSubscribed(channel) && !(read && reader === author)) reader.marked.add(id);
    }
  }

  /**
   * Edits a message as its sender, if they still have access, to mention others than before. Users with access to the
   * message receive the event with their flags at that time.
   */
  async edit(message: ModelMessage, mention: ModelMention) {
    const author = this.readers.find(({ id }) => id === message.senderId);
    assert(author !== undefined);
    const queues = await Promise.all(
      this.readers.map(({ client }) => client.register({ event_types: ['update_message'], fetch_event_types: [] })),
    );
    const content = `edited ${textMentioning(mention, this.reader(2))}`;
    const { status } = await author.client.call('PATCH', `/messages/${message.id}`, { content });
    assert.equal(status, author.mayRead(message) ? 200 : 400);
    if (status === 200) this.#mention(message, mention);
    for (const [index, queue] of queues.entries()) {
      const reader = this.reader(index);
      const events = await queue.now();
      await reader.client.ok('DELETE', '/events', { queue_id: queue.id });
      if (status !== 200) assert.deepEqual(events, []);
      for (const { flags } of events) assert.deepEqual(flags, reader.flags(message));
      if (!reader.mayRead(message)) assert.deepEqual(events, []);
      else if (status === 200 && reader.isMember(message)) assert.equal(events.length, 1);
    }
  }

  #mention(message: ModelMessage, mention: ModelMention): void {
    message.mentionsChannel = mention === 'all';
    for (const reader of this.readers) {
      const received = reader.received(message);
      const isPerson = (mention === 'person' || mention === 'many') && reader === this.reader(2);
      put(reader.mentioned, message.id, isPerson && received);
      const isTopic = mention === 'topic' && message.channel !== null && this.#takesPart(reader, message);
      put(reader.topicMentioned, message.id, isTopic && received);
    }
  }

  #takesPart(reader: ModelReader, { channel, topic }: ModelMessage): boolean {
    return this.messages.some(
      (other) =>
        other.channel === channel && other.topic.toLowerCase() === topic.toLowerCase() && other.senderId === reader.id,
    );
  }

  async sendDirectly(sender: ModelReader, others: readonly ModelReader[], mentionsAll: boolean, readBySender: boolean) {
    const participants = [...new Set([sender, ...others].map((reader) => reader.id))].sort((a, b) => a - b);
    const id = await sender.client.direct(participants, mentionsAll ? 'psst @**all**' : 'psst', {
      read_by_sender: readBySender,
    });
    const place = { home: null, channel: null, topic: '', welcomed: new Set<number>() };
    this.#arrive({ id, senderId: sender.id, ...place, participants, mentionsChannel: mentionsAll });
    for (const reader of this.readers) {
      if (participants.includes(reader.id) && !(readBySender && reader === sender)) reader.marked.add(id);
    }
  }

  #arrive(message: ModelMessage): void {
    this.messages.push(message);
    this.#head = message.id;
  }

  async subscribe(reader: ModelReader, channel: ModelChannel) {
    await this.reader(0).client.subscribe(channel.name, {
      principals: [reader.id],
      send_new_subscription_messages: false,
    });
    if (reader.isSubscribed(channel)) return;
    const spans = reader.spans.get(channel) ?? [];
    reader.spans.set(channel, [...spans, { since: this.#head, until: Number.POSITIVE_INFINITY }]);
    this.#readAll(reader, channel);
  }

  async unsubscribe(reader: ModelReader, channel: ModelChannel) {
    if (reader === this.reader(0)) return;
    if (!reader.isSubscribed(channel)) return;
    await reader.client.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] });
    const span = reader.spans.get(channel)?.at(-1);
    if (span !== undefined) span.until = this.#head;
    this.#readAll(reader, channel);
  }

  /** Starting or ending a subscription marks all messages of the channel as read. */
  #readAll(reader: ModelReader, channel: ModelChannel): void {
    for (const message of this.messages) if (message.channel === channel) reader.marked.delete(message.id);
  }

  /** Moves channel messages. Read flags do not change, and users who lose access lose their stars. */
  async move(server: TestServer, messages: readonly ModelMessage[], channel: ModelChannel, topic: string) {
    const moving = messages.filter((message) => message.channel !== null);
    await moveMessages(
      server,
      moving.map(({ id }) => id),
      channel.id,
      topic,
    );
    for (const message of moving) {
      const readBefore = this.readers.filter((reader) => reader.mayRead(message));
      if (message.channel !== channel) {
        const subscribed = this.readers.filter((reader) => reader.isSubscribed(channel));
        message.welcomed = new Set(subscribed.map((reader) => reader.id));
      }
      message.channel = channel;
      message.topic = topic;
      for (const reader of readBefore) if (!reader.mayRead(message)) reader.starred.delete(message.id);
    }
  }

  /** Deletes messages as their senders, or as the first reader, who has access to all channels. */
  async delete(messages: readonly ModelMessage[]) {
    for (const { id, senderId, channel } of new Set(messages)) {
      const { client } =
        channel === null ? (this.readers.find((reader) => reader.id === senderId) ?? this.reader(0)) : this.reader(0);
      await client.ok('DELETE', `/messages/${id}`);
    }
    for (const message of messages) {
      const place = this.messages.indexOf(message);
      if (place >= 0) this.messages.splice(place, 1);
    }
    for (const reader of this.readers) {
      for (const { id } of messages)
        for (const set of [reader.marked, reader.starred, reader.collapsed]) set.delete(id);
    }
  }

  /**
   * Changes a flag and compares the response with the expected changes. If one of the messages is inaccessible, the
   * request is refused, and then repeated for the others.
   */
  async mark(
    reader: ModelReader,
    flag: 'read' | 'starred' | 'collapsed',
    op: 'add' | 'remove',
    named: readonly ModelMessage[],
  ) {
    const marking = (messages: readonly ModelMessage[]) => ({ messages: messages.map(({ id }) => id), op, flag });
    const readable = named.filter((message) => reader.mayRead(message));
    const mayPass = flag === 'read' && op === 'add';
    if (!mayPass && readable.length < named.length) {
      const refused = await reader.client.fails('POST', '/messages/flags', marking(named));
      assert.equal(refused.msg, 'Invalid message(s)');
    }
    const messages = mayPass ? named : readable;
    const changed = new Set<number>();
    const ignored = new Set<number>();
    for (const message of messages) {
      const { id, channel } = message;
      if (!readable.includes(message)) continue;
      if (flag === 'read' && !reader.isMember(message)) {
        if (op === 'remove' && channel !== null) ignored.add(channel.id);
        continue;
      }
      const set = flag === 'read' ? reader.marked : reader[flag];
      const adds = (flag === 'read') !== (op === 'add');
      if (set.has(id) === adds) continue;
      changed.add(id);
      if (adds) set.add(id);
      else set.delete(id);
    }
    const answer = await reader.client.ok('POST', '/messages/flags', marking(messages));
    const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);
    assert.deepEqual(answer.messages, ascending(changed));
    assert.deepEqual(answer.ignored_because_not_subscribed_channels, ascending(ignored));
  }

  /** Marks everything as read, also inaccessible messages. */
  async markAll(reader: ModelReader) {
    assert.equal((await reader.client.ok('POST', '/mark_all_as_read')).complete, true);
    reader.marked.clear();
  }

  /** The expected response of `GET /messages`: messages by id with their flags. */
  answer(reader: ModelReader, query: ModelQuery) {
    const { num_before, num_after } = query;
    const found = this.matching(reader, query.narrow);
    const anchor = this.#anchor(reader, query);
    const before = found.filter(({ id }) => id < anchor);
    const at = query.include_anchor ? found.filter(({ id }) => id === anchor) : [];
    const after = found.filter(({ id }) => id > anchor);
    const chosen = [...(num_before === 0 ? [] : before.slice(-num_before)), ...at, ...after.slice(0, num_after)];
    return {
      anchor,
      found_anchor: at.length === 1,
      found_oldest: anchor === 0 || before.length < num_before,
      found_newest: anchor === BEYOND || after.length < num_after,
      messages: chosen.map((message) => ({ id: message.id, flags: reader.flags(message) })),
    };
  }

  /** Searches the first unread message among all that the reader can access. */
  #anchor(reader: ModelReader, { anchor, narrow }: ModelQuery): number {
    if (anchor === 'newest') return BEYOND;
    if (anchor === 'oldest') return 0;
    if (anchor !== 'first_unread') return Math.max(anchor, 0);
    return this.matching(reader, [...narrow, { operator: 'is', operand: 'unread' }])[0]?.id ?? BEYOND;
  }

  /** The messages of a narrow for a reader. */
  matching(reader: ModelReader, narrow: readonly ModelTerm[]): ModelMessage[] {
    const reaches = narrow.some(
      ({ operator, operand, negated }) =>
        !negated && (REACHING.has(operator) || REACHING.has(`${operator}:${String(operand)}`)),
    );
    return this.messages
      .filter((message) => reader.mayRead(message) && (reaches || reader.received(message)))
      .filter((message) => narrow.every((term) => matches(reader, message, term) !== (term.negated ?? false)));
  }

  /** The expected `unread_msgs`. */
  unreadMessages(reader: ModelReader): Json {
    const unread = this.messages.filter((message) => reader.isUnread(message));
    const ids = (messages: readonly ModelMessage[]) => messages.map(({ id }) => id);
    const groups = (messages: readonly ModelMessage[], key: (message: ModelMessage) => string) => [
      ...Map.groupBy(messages, key).values(),
    ];
    const inChannels = unread.filter(({ channel }) => channel !== null);
    const small = unread.filter(({ channel, participants }) => channel === null && participants.length <= 2);
    const large = unread.filter(({ channel, participants }) => channel === null && participants.length > 2);
    return {
      count: unread.length,
      streams: groups(inChannels, ({ channel, topic }) => `${channel?.id}/${topic.toLowerCase()}`).map((group) => ({
        stream_id: group[0]?.channel?.id,
        topic: group.at(-1)?.topic,
        unread_message_ids: ids(group),
      })),
      pms: groups(small, ({ participants }) => participants.join()).map((group) => {
        const other = group[0]?.participants.find((id) => id !== reader.id) ?? reader.id;
        return { other_user_id: other, sender_id: other, unread_message_ids: ids(group) };
      }),
      huddles: groups(large, ({ participants }) => participants.join()).map((group) => ({
        user_ids_string: group[0]?.participants.join(),
        unread_message_ids: ids(group),
      })),
      mentions: ids(unread.filter((message) => reader.isMentioned(message))),
      old_unreads_missing: false,
    };
  }
}

function textMentioning(mention: ModelMention, person: ModelReader): string {
  const named = `@**${person.client.name}**`;
  return { none: 'hello', all: '@**all**', topic: '@**topic**', person: named, many: named }[mention];
}

function put(set: Set<number>, id: number, holds: boolean): void {
  if (holds) set.add(id);
  else set.delete(id);
}

function matches(reader: ModelReader, message: ModelMessage, { operator, operand }: ModelTerm): boolean {
  switch (operator) {
    case 'channel':
      return message.channel?.id === operand;
    case 'topic':
      return message.channel !== null && message.topic.toLowerCase() === String(operand).toLowerCase();
    case 'sender':
      return message.senderId === operand;
    case 'id':
      return message.id === operand;
    case 'dm': {
      const all = new Set([...(operand as readonly number[]), reader.id]);
      return (
        message.channel === null &&
        all.size === message.participants.length &&
        message.participants.every((id) => all.has(id))
      );
    }
    case 'dm-including':
      return message.participants.includes(operand as number);
    default:
      return matchesIs(reader, message, String(operand));
  }
}

function matchesIs(reader: ModelReader, message: ModelMessage, state: string): boolean {
  switch (state) {
    case 'dm':
      return message.channel === null;
    case 'unread':
      return reader.isUnread(message);
    case 'starred':
      return reader.starred.has(message.id);
    case 'mentioned':
      return reader.isMentioned(message);
    default:
      throw new Error(`the model does not know is:${state}`);
  }
}
