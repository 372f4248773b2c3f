import type { Caller } from '../calls/operation.ts';
import type { EventOfType, InitialState, ServerEvent } from '../calls/types.ts';
import { Directory } from './directory.ts';
import { DirectConversations } from './messages/direct-conversations.ts';
import { MessageCache } from './messages/message-cache.ts';
import type { MessageRecord } from './messages/message-record.ts';
import type { MessageChange } from './messages/messages.ts';
import type { OutgoingMessage } from './messages/outbox.ts';
import { type TopicPlace, topicPlace } from './messages/places.ts';
import { Starred } from './messages/starred.ts';
import { Typing } from './messages/typing.ts';
import { Unread } from './messages/unread.ts';
import { RegisteredFields } from './model-state.ts';

/** What the model needs beyond the initial state. */
export interface ModelOptions {
  readonly connection: Caller;
  /** Resolves when another attempt makes sense after a failure, for example when the server can be reached again. */
  readonly untilRetry: (attempt: number) => Promise<void>;
  /** How long it waits after an event before it loads what other clients load then, too. Default: a random time of up to 5 seconds. */
  readonly pauseAfterEvent?: () => Promise<void>;
  /** Stores messages that are not sent yet. */
  readonly saveOutbox: (messages: readonly OutgoingMessage[]) => void;
  /** Stores the ids of messages that are marked as read, but not on the server yet. */
  readonly saveMarks?: (ids: readonly number[]) => void;
  /** Called for each message that arrives, for example to show a notification. */
  readonly onMessage?: (message: MessageRecord) => void;
  /** Called when messages of a topic have moved to another topic or channel. */
  readonly onMove?: (move: TopicMove) => void;
}

/** Messages of a topic have moved. */
export interface TopicMove {
  readonly from: TopicPlace;
  readonly to: TopicPlace;
  readonly messageIds: readonly number[];
  /** All messages of the topic. */
  readonly isWhole: boolean;
}

/**
 * The organization as this user sees it: the initial state with all events applied. Each part is one subject.
 *
 * Invariant: after the same events, each part equals that of a model that was just registered.
 */
export class Model extends Directory {
  readonly unread: Unread;
  readonly starred: Starred;
  readonly directConversations: DirectConversations;
  readonly typing: Typing;
  /** Messages that are loaded or not sent yet. It outlives a new registration. */
  readonly cache: MessageCache;
  /** The id of the newest message that the client knows. */
  maxMessageId: number;
  /** The queue of this model. Undefined for spectators, who receive no events. */
  readonly queueId: string | undefined;
  readonly #options: ModelOptions;
  readonly #registered: RegisteredFields;
  /** The model that the cache asks about the organization. */
  readonly #current: { model: Model };

  /** @param previous the model before a new registration of the same account */
  constructor(state: InitialState, options: ModelOptions, previous?: Model) {
    super(state);
    this.#options = options;
    this.#registered = new RegisteredFields(state);
    this.queueId = state.queue_id ?? undefined;
    this.maxMessageId = Math.max(state.max_message_id ?? 0, previous?.maxMessageId ?? 0);
    this.unread = new Unread(state, this.ownId, (channelId, topic) => this.isTopicMuted(channelId, topic));
    this.starred = new Starred(state);
    this.directConversations = new DirectConversations(state, this.ownId);
    this.typing = new Typing(state, this.ownId);
    this.#current = previous === undefined ? { model: this } : previous.#current;
    this.#current.model = this;
    this.cache = previous === undefined ? this.#newCache() : previous.cache;
    previous?.typing.stop();
    if (previous !== undefined) this.cache.renewed();
  }

  /** The id of the user. 0 for spectators. */
  get ownId(): number {
    return this.account.userId ?? 0;
  }

  /** Whether the topic is muted, by itself or by its channel. */
  isTopicMuted(channelId: number, topic: string): boolean {
    const isChannelMuted = this.channels.get(channelId)?.settings?.isMuted ?? false;
    return this.topicPolicies.isMuted(channelId, topic, isChannelMuted);
  }

  /** Whether the server sends the events of the channel's messages. Spectators have no queue. */
  isSubscribed(channelId: number): boolean {
    return this.queueId !== undefined && (this.channels.get(channelId)?.isSubscribed ?? false);
  }

  /** Ends timers. Call this before the model is dropped. */
  stop(): void {
    this.typing.stop();
  }

  /** Applies an event. Returns false if its type concerns no part of the model, for example one of a newer server. */
  override apply(event: ServerEvent): boolean {
    switch (event.type) {
      case 'message':
        this.#receive(event);
        return true;
      case 'update_message':
      case 'update_message_flags':
      case 'delete_message':
      case 'reaction':
      case 'submessage':
        this.#changeMessages(event);
        return true;
      case 'pinned_messages':
        this.cache.pinned.apply(event);
        return true;
      case 'typing':
        this.typing.apply(event);
        return true;
      default: {
        const isKnown = super.apply(event);
        this.#follow(event);
        return isKnown;
      }
    }
  }

  /** What follows for messages from a change of the directory. */
  #follow(event: ServerEvent): void {
    switch (event.type) {
      case 'stream':
        if (event.op === 'delete') this.#loseChannels(new Set(event.stream_ids));
        if (event.op === 'create') {
          this.cache.topics.expireAll();
          this.cache.pinned.expireAllLater();
        }
        if (event.op === 'update' && event.property === 'invite_only') this.#historyChanged(event.stream_id);
        break;
      case 'subscription':
        if (event.op === 'add') for (const { stream_id } of event.subscriptions) this.cache.pinned.expire(stream_id);
        if (event.op === 'update' && event.property === 'is_muted') this.#mutesChanged(event.stream_id);
        if (event.op === 'add') this.#subscribed(new Set(event.subscriptions.map(({ stream_id }) => stream_id)));
        if (event.op === 'remove') this.#leave(event.subscriptions.map(({ stream_id }) => stream_id));
        break;
      case 'user_topic':
        this.#mutesChanged(event.stream_id);
        break;
    }
  }

  #receive(event: EventOfType<'message'>): void {
    this.maxMessageId = Math.max(this.maxMessageId, event.message.id);
    const record = this.cache.receive(event);
    this.unread.receive(record);
    this.directConversations.receive(record);
    this.typing.receive(record.place, record.senderId);
    this.#options.onMessage?.(record);
  }

  #changeMessages(event: MessageChange): void {
    this.cache.apply(event);
    switch (event.type) {
      case 'update_message':
        this.unread.applyUpdate(event);
        this.#tellMove(event);
        break;
      case 'update_message_flags':
        this.unread.applyFlags(event);
        this.starred.applyFlags(event);
        break;
      case 'delete_message': {
        const ids = 'message_ids' in event ? event.message_ids : [event.message_id];
        this.unread.remove(ids);
        this.starred.remove(ids);
        break;
      }
    }
  }

  #tellMove(event: EventOfType<'update_message'>): void {
    const { stream_id: channelId, orig_subject: topic, message_ids: messageIds, propagate_mode: mode } = event;
    if (channelId === undefined || topic === undefined) return;
    const from = topicPlace(channelId, topic);
    const to = topicPlace(event.new_stream_id ?? channelId, event.subject ?? topic);
    this.#options.onMove?.({ from, to, messageIds, isWhole: mode === 'change_all' });
  }

  #mutesChanged(channelId: number): void {
    this.unread.mutesChanged(channelId);
    this.cache.windows.topicPoliciesChanged();
  }

  /** The privacy of a channel decides whether its subscribers can read messages from before their subscription. */
  #historyChanged(channelId: number): void {
    const channel = this.channels.get(channelId);
    if (channel !== undefined) this.cache.historyChanged(channelId, channel.isPrivate && !channel.hasSharedHistory);
  }

  #subscribed(channelIds: ReadonlySet<number>): void {
    for (const channelId of channelIds) this.#mutesChanged(channelId);
    this.cache.windows.subscribed(channelIds);
  }

  /** Some private channels stay visible to those who leave them, without their messages. */
  #leave(channelIds: readonly number[]): void {
    const hidden = channelIds.filter((id) => {
      const channel = this.channels.get(id);
      return channel !== undefined && this.permissions.channels.contentAccess(channel) === 'none';
    });
    if (hidden.length > 0) this.cache.loseChannels(new Set(hidden));
  }

  #loseChannels(channelIds: ReadonlySet<number>): void {
    this.unread.loseChannels(channelIds);
    this.cache.loseChannels(channelIds);
  }

  #newCache(): MessageCache {
    const current = this.#current;
    const { connection, untilRetry, pauseAfterEvent, saveOutbox, saveMarks = () => undefined } = this.#options;
    return new MessageCache({
      ownId: this.ownId,
      connection,
      isSpectator: current.model.account.isSpectator,
      untilRetry,
      pauseAfterEvent,
      saveOutbox,
      saveMarks,
      queueId: () => current.model.queueId,
      newestId: () => current.model.maxMessageId,
      context: {
        ownId: this.ownId,
        isTopicMuted: (channelId, topic) => current.model.isTopicMuted(channelId, topic),
        isTopicFollowed: (channelId, topic) => current.model.topicPolicies.isFollowed(channelId, topic),
        channelIdOf: (name) => current.model.channels.byName(name)?.id,
        userIdOf: (email) => current.model.users.byAddress(email)?.id,
        isSubscribed: (channelId) => current.model.isSubscribed(channelId),
      },
      applyRead: (ids) => current.model.applyFlag('read', 'add', ids),
    });
  }

  /** Applies a change of flags before the server confirms it. The event that follows changes nothing more. */
  applyFlag(flag: 'read' | 'starred' | 'collapsed', op: 'add' | 'remove', ids: readonly number[]): void {
    const common = { id: -1, type: 'update_message_flags', flag, messages: ids, all: false } as const;
    if (op === 'add') this.#changeMessages({ ...common, op, operation: op });
    else
      this.#changeMessages({
        ...common,
        op,
        operation: op,
        message_details: flag === 'read' ? this.#details(ids) : {},
      });
  }

  /** Where messages are that become unread. */
  #details(
    ids: readonly number[],
  ): NonNullable<Extract<EventOfType<'update_message_flags'>, { op: 'remove' }>['message_details']> {
    const details = ids.flatMap((id) => {
      const record = this.cache.messages.get(id);
      if (record === undefined) return [];
      const { place } = record;
      const mentioned = record.isMentioned || record.isChannelMentioned || record.isTopicMentioned;
      const where =
        place.kind === 'topic'
          ? { type: 'stream' as const, stream_id: place.channelId, topic: place.topic, unmuted_stream_msg: false }
          : { type: 'private' as const, user_ids: place.userIds };
      return [[String(id), { ...where, mentioned }] as const];
    });
    return Object.fromEntries(details);
  }

  /** Applies a reaction of the user before the server confirms it. */
  applyReaction(
    op: 'add' | 'remove',
    messageId: number,
    emoji: Pick<EventOfType<'reaction'>, 'emoji_name' | 'emoji_code' | 'reaction_type'>,
  ): void {
    this.#changeMessages({ id: -1, type: 'reaction', op, message_id: messageId, user_id: this.ownId, ...emoji });
  }

  /** The initial state of which a model equals this one, without loaded messages. Takes milliseconds in a large organization. */
  state(): InitialState {
    return this.#registered.stateOf(this);
  }

  override plain(): Readonly<Record<string, object>> {
    const { unread, starred, directConversations } = this;
    return {
      ...super.plain(),
      unread: unread.plain(),
      starred: starred.plain(),
      directConversations: directConversations.plain(),
    };
  }
}
