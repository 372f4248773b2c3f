import type { Caller } from '../calls/operation.ts';
import type { EventOfType, InitialState, ServerEvent } from '../calls/types.ts';
import { Account } from './account.ts';
import { AlertWords } from './alert-words.ts';
import { Bots } from './bots.ts';
import { Subject } from './changes.ts';
import { ChannelFolders } from './channel-folders.ts';
import { Channels } from './channels.ts';
import { DirectConversations } from './direct-conversations.ts';
import { Drafts } from './drafts.ts';
import { CustomEmoji } from './emoji.ts';
import { Groups } from './groups.ts';
import { MessageCache } from './message-cache.ts';
import type { MessageRecord } from './message-record.ts';
import type { MessageChange } from './messages.ts';
import { MutedUsers } from './muted-users.ts';
import { NavigationViews } from './navigation-views.ts';
import { Organization } from './organization.ts';
import type { OutgoingMessage } from './outbox.ts';
import { Permissions } from './permissions.ts';
import { Presence } from './presence.ts';
import { ProfileFields } from './profile-fields.ts';
import { Reminders } from './reminders.ts';
import { SavedSnippets } from './saved-snippets.ts';
import { ScheduledMessages } from './scheduled-messages.ts';
import { Starred } from './starred.ts';
import { Statuses } from './statuses.ts';
import { TopicPolicies } from './topic-policies.ts';
import { Typing } from './typing.ts';
import { Unread } from './unread.ts';
import { Users } from './users.ts';

/** What the model needs beyond the initial state. */
export interface ModelOptions {
  readonly connection: Caller;
  /** Resolves when another attempt makes sense after a failure, for example when the server can be reached again. */
  readonly untilRetry: (attempt: number) => Promise<void>;
  /** Stores messages that are not sent yet. */
  readonly saveOutbox: (messages: readonly OutgoingMessage[]) => void;
  /** Called for each message that arrives, for example to show a notification. */
  readonly onMessage?: (message: MessageRecord) => void;
}

/**
 * The organization as this user sees it: the initial state with all events applied. Each part is one subject.
 *
 * Invariant: after the same events, each part equals that of a model that was just registered.
 */
export class Model {
  readonly account: Account;
  readonly organization: Organization;
  readonly users: Users;
  readonly bots: Bots;
  readonly groups: Groups;
  readonly profileFields: ProfileFields;
  readonly mutedUsers: MutedUsers;
  readonly presence: Presence;
  readonly statuses: Statuses;
  readonly channels: Channels;
  readonly channelFolders: ChannelFolders;
  readonly topicPolicies: TopicPolicies;
  readonly permissions: Permissions;
  readonly unread: Unread;
  readonly starred: Starred;
  readonly directConversations: DirectConversations;
  readonly typing: Typing;
  readonly drafts: Drafts;
  readonly scheduledMessages: ScheduledMessages;
  readonly reminders: Reminders;
  readonly savedSnippets: SavedSnippets;
  readonly alertWords: AlertWords;
  readonly navigationViews: NavigationViews;
  readonly customEmoji: CustomEmoji;
  /** Messages that are loaded or not sent yet. It outlives a new registration. */
  readonly cache: MessageCache;
  /** Uploaded files changed. Their list is fetched when someone looks at it. */
  readonly attachmentChanges = new Subject();
  /** Invitations changed. */
  readonly invitationChanges = new Subject();
  /** Data exports changed. */
  readonly exportChanges = new Subject();
  /** The id of the newest message that the client knows. */
  maxMessageId: number;
  /** The queue of this model. Undefined for spectators, who receive no events. */
  readonly queueId: string | undefined;
  readonly #options: ModelOptions;
  /** The model that the cache asks about the organization. */
  readonly #current: { model: Model };

  /** @param previous the model before a new registration of the same account */
  constructor(state: InitialState, options: ModelOptions, previous?: Model) {
    this.#options = options;
    this.queueId = state.queue_id ?? undefined;
    this.maxMessageId = Math.max(state.max_message_id ?? 0, previous?.maxMessageId ?? 0);
    this.account = new Account(state);
    this.users = new Users(state);
    this.organization = new Organization(state);
    this.bots = new Bots(state, this.account);
    this.groups = new Groups(state);
    this.profileFields = new ProfileFields(state, this.users);
    this.mutedUsers = new MutedUsers(state);
    this.presence = new Presence(state, this.users, this.organization);
    this.statuses = new Statuses(state, this.users);
    this.channels = new Channels(state, this.account);
    this.channelFolders = new ChannelFolders(state);
    this.topicPolicies = new TopicPolicies(state);
    this.permissions = new Permissions(this.account, this.organization, this.groups, this.channels, this.users);
    this.unread = new Unread(state, this.ownId, (channelId, topic) => this.isTopicMuted(channelId, topic));
    this.starred = new Starred(state);
    this.directConversations = new DirectConversations(state, this.ownId);
    this.typing = new Typing(state, this.ownId);
    this.drafts = new Drafts(state);
    this.scheduledMessages = new ScheduledMessages(state);
    this.reminders = new Reminders(state);
    this.savedSnippets = new SavedSnippets(state);
    this.alertWords = new AlertWords(state);
    this.navigationViews = new NavigationViews(state);
    this.customEmoji = new CustomEmoji(state);
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
    const isChannelMuted = this.channels.get(channelId)?.isMuted ?? false;
    return this.topicPolicies.isMuted(channelId, topic, isChannelMuted);
  }

  /** Applies events in their order. */
  apply(events: readonly ServerEvent[]): void {
    for (const event of events) this.#apply(event);
  }

  /** Ends timers. Call this before the model is dropped. */
  stop(): void {
    this.typing.stop();
  }

  #apply(event: ServerEvent): void {
    switch (event.type) {
      case 'message':
        this.#receive(event);
        break;
      case 'update_message':
      case 'update_message_flags':
      case 'delete_message':
      case 'reaction':
      case 'submessage':
        this.#changeMessages(event);
        break;
      case 'stream':
        this.channels.applyChannel(event);
        if (event.op === 'delete') this.#loseChannels(new Set(event.stream_ids));
        if (event.op === 'create') this.cache.topics.expireAll();
        break;
      case 'subscription':
        this.channels.applySubscription(event);
        if (event.op === 'update' && event.property === 'is_muted') this.#mutesChanged(event.stream_id);
        if (event.op === 'add') for (const { stream_id } of event.subscriptions) this.#mutesChanged(stream_id);
        break;
      case 'user_topic':
        this.topicPolicies.apply(event);
        this.#mutesChanged(event.stream_id);
        break;
      case 'typing':
        this.typing.apply(event);
        break;
      default:
        this.#applyToDirectory(event);
    }
  }

  #applyToDirectory(event: Exclude<ServerEvent, EventOfType<'message'> | MessageChange>): void {
    switch (event.type) {
      case 'realm_user':
        this.#changeUser(event);
        break;
      case 'realm_bot':
        this.bots.apply(event);
        break;
      case 'user_group':
        this.groups.apply(event);
        break;
      case 'channel_folder':
        this.channelFolders.apply(event);
        break;
      case 'default_streams':
        this.organization.applyDefaultChannels(event);
        break;
      case 'realm':
        this.organization.apply(event);
        break;
      case 'realm_linkifiers':
        this.organization.applyLinkifiers(event);
        break;
      case 'realm_playgrounds':
        this.organization.applyPlaygrounds(event);
        break;
      case 'realm_domains':
        this.organization.applyDomains(event);
        break;
      case 'realm_user_settings_defaults':
        this.organization.applyUserSettingsDefaults(event);
        break;
      case 'restart':
        this.organization.applyRestart(event);
        break;
      case 'web_reload_client':
        this.organization.applyReload(event);
        break;
      case 'realm_emoji':
        this.customEmoji.apply(event);
        break;
      case 'custom_profile_fields':
        this.profileFields.apply(event);
        break;
      case 'presence':
        this.presence.apply(event);
        break;
      case 'user_status':
        this.statuses.apply(event);
        break;
      default:
        this.#applyToOwn(event);
    }
  }

  /** Events of what belongs to the user alone. Events of unknown types, which newer servers send, change nothing. */
  #applyToOwn(event: ServerEvent): void {
    switch (event.type) {
      case 'user_settings':
        this.account.applySettings(event);
        break;
      case 'onboarding_steps':
        this.account.applyOnboardingSteps(event);
        break;
      case 'muted_users':
        this.mutedUsers.apply(event);
        break;
      case 'alert_words':
        this.alertWords.apply(event);
        break;
      case 'drafts':
        this.drafts.apply(event);
        break;
      case 'scheduled_messages':
        this.scheduledMessages.apply(event);
        break;
      case 'reminders':
        this.reminders.apply(event);
        break;
      case 'saved_snippets':
        this.savedSnippets.apply(event);
        break;
      case 'navigation_view':
        this.navigationViews.apply(event);
        break;
      case 'attachment':
        this.attachmentChanges.changed();
        break;
      case 'invites_changed':
        this.invitationChanges.changed();
        break;
      case 'realm_export':
      case 'realm_export_consent':
        this.exportChanges.changed();
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

  #changeUser(event: EventOfType<'realm_user'>): void {
    this.users.apply(event);
    this.account.applyUser(event);
    this.groups.applyUser(event);
    this.organization.applyUser(event);
    this.bots.applyUser(event);
    this.channels.applyUser(event);
    this.presence.applyUser(event);
    this.statuses.applyUser(event);
  }

  #mutesChanged(channelId: number): void {
    this.unread.mutesChanged(channelId);
    this.cache.windows.topicPoliciesChanged();
  }

  #loseChannels(channelIds: ReadonlySet<number>): void {
    this.unread.loseChannels(channelIds);
    this.cache.loseChannels(channelIds);
  }

  #newCache(): MessageCache {
    const current = this.#current;
    const { connection, untilRetry, saveOutbox } = this.#options;
    return new MessageCache({
      ownId: this.ownId,
      connection,
      untilRetry,
      saveOutbox,
      queueId: () => current.model.queueId,
      context: {
        ownId: this.ownId,
        isTopicMuted: (channelId, topic) => current.model.isTopicMuted(channelId, topic),
        isTopicFollowed: (channelId, topic) => current.model.topicPolicies.isFollowed(channelId, topic),
        channelIdOf: (name) => current.model.channels.byName(name)?.id,
        userIdOf: (email) => current.model.users.byAddress(email)?.id,
      },
      applyRead: (ids) => current.model.applyFlag('read', 'add', ids),
    });
  }

  /** Applies a change of flags before the server confirms it. The event that follows changes nothing more. */
  applyFlag(flag: 'read' | 'starred' | 'collapsed', op: 'add' | 'remove', ids: readonly number[]): void {
    const common = { id: -1, type: 'update_message_flags', flag, messages: ids, all: false } as const;
    if (op === 'add') this.#changeMessages({ ...common, op, operation: op });
    else this.#changeMessages({ ...common, op, operation: op, message_details: flag === 'read' ? this.#details(ids) : {} });
  }

  /** Where messages are that become unread. */
  #details(ids: readonly number[]): NonNullable<Extract<EventOfType<'update_message_flags'>, { op: 'remove' }>['message_details']> {
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
}
