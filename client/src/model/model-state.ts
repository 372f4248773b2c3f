/**
 * The opposite of the model's constructor: the initial state of which a model equals this one. The session stores it when the stored events
 * become too many, so a reload after a long visit needs no new registration.
 */
import type { Channel, InitialState, ProfileField, Subscription } from '../calls/types.ts';
import { CHANNEL_SETTINGS, SUBSCRIPTION_SETTINGS, toWire } from './channel-settings.ts';
import type { ChannelRecord } from './channels/channel-record.ts';
import type { Directory } from './directory.ts';
import type { DirectConversations } from './messages/direct-conversations.ts';
import type { Starred } from './messages/starred.ts';
import type { Unread } from './messages/unread.ts';
import type { DraftTarget } from './own/drafts.ts';
import { policyNumber } from './own/topic-policies.ts';
import type { UserRecord } from './people/user-record.ts';

/** The parts of a model that follow from its initial state and the events. */
interface Model extends Directory {
  readonly unread: Unread;
  readonly starred: Starred;
  readonly directConversations: DirectConversations;
  readonly maxMessageId: number;
  readonly ownId: number;
}

type Name = keyof InitialState;

/** Longer lists of subscribers are left out. The client loads them again when someone looks at the channel. */
const MAX_LISTED_SUBSCRIBERS = 1_000;

/**
 * The fields that events change, and how the model states them now. Values do not have everything that a registration has, for example
 * fields for older clients, but everything that a model reads.
 */
const FIELDS: { readonly [Field in Name]?: (model: Model) => unknown } = {
  max_message_id: ({ maxMessageId }) => maxMessageId,
  unread_msgs: unreadMessages,
  starred_messages: ({ starred }) => [...starred.ids],
  recent_private_conversations: ({ directConversations }) =>
    directConversations.list().map(({ place, maxId: max_message_id }) => ({ user_ids: place.userIds, max_message_id })),

  full_name: ({ account }) => account.name,
  email: ({ account }) => account.email,
  delivery_email: ({ account }) => account.deliveryEmail,
  avatar_url: ({ account }) => account.avatarUrl,
  avatar_url_medium: ({ account }) => account.avatarUrlMedium,
  avatar_source: ({ account }) => (account.hasUploadedAvatar ? 'U' : 'G'),
  is_owner: ({ account }) => account.isOwner,
  is_admin: ({ account }) => account.isAdministrator,
  is_moderator: ({ account }) => account.isModerator,
  is_guest: ({ account }) => account.isGuest,
  user_settings: ({ account }) => account.settings,
  quiet_hours: ({ account }) => account.quietHours,
  onboarding_steps: ({ account }) => account.onboardingSteps,

  service_version: ({ organization }) => organization.version.version,
  service_merge_base: ({ organization }) => organization.version.mergeBase,
  service_feature_level: ({ organization }) => organization.version.featureLevel,
  realm_linkifiers: ({ organization }) => organization.linkifiers,
  realm_playgrounds: ({ organization }) => organization.playgrounds,
  realm_domains: ({ organization }) => organization.domains,
  realm_default_streams: ({ organization }) => [...organization.defaultChannelIds],
  realm_user_settings_defaults: ({ organization }) => organization.userSettingsDefaults,

  realm_users: (model) => usersOf(model, (user) => user.isActive && !user.isSystemBot),
  realm_non_active_users: (model) => usersOf(model, (user) => !user.isActive && !user.isSystemBot),
  cross_realm_bots: (model) => usersOf(model, (user) => user.isSystemBot),
  // Without the field, the model knows that its list is not complete.
  realm_bots: (model) => (model.bots.isComplete ? botsOf(model) : undefined),
  realm_user_groups: groupsOf,
  realm_emoji: emojiOf,
  custom_profile_fields: ({ profileFields }) => profileFields.all.map(profileField),
  muted_users: ({ mutedUsers }) => [...mutedUsers.all].map(([id, timestamp]) => ({ id, timestamp })),
  user_status: statusesOf,
  presences: presencesOf,
  presence_last_update_id: ({ presence }) => presence.lastUpdateId,

  streams: ({ channels }) => [...channels.all.values()].map(wireChannel),
  subscriptions: (model) => subscriptionsOf(model, true),
  unsubscribed: (model) => subscriptionsOf(model, false),
  never_subscribed: (model) => {
    const others = [...model.channels.all.values()].filter((one) => !one.isSubscribed && one.settings === null);
    return others.map((channel) => ({ ...wireChannel(channel), ...subscribersOf(model, channel) }));
  },
  channel_folders: channelFoldersOf,
  user_topics: topicPoliciesOf,

  drafts: draftsOf,
  scheduled_messages: scheduledMessagesOf,
  reminders: remindersOf,
  saved_snippets: ({ savedSnippets }) =>
    savedSnippets.all.map(({ id, title, content, createdAt: date_created }) => ({ id, title, content, date_created })),
  alert_words: ({ alertWords }) => alertWords.words,
  navigation_views: ({ navigationViews }) =>
    [...navigationViews.all.values()].map(({ fragment, isPinned, name }) => ({ fragment, is_pinned: isPinned, name })),
};

/** What the model needs of its registration to state itself later. */
export class RegisteredFields {
  readonly #names: readonly Name[];
  /** The fields that stay as they are, or that no model reads. */
  readonly #constants: Partial<InitialState>;

  constructor(state: InitialState) {
    const entries = Object.entries(state) as [Name, unknown][];
    this.#names = entries.map(([name]) => name);
    this.#constants = Object.fromEntries(entries.filter(([name]) => !(name in FIELDS)));
  }

  /** The state now, with the fields of the registration. */
  stateOf(model: Model): InitialState {
    const { settings, server } = model.organization;
    const changed = { ...withPrefix('realm_', settings), ...withPrefix('server_', server) };
    const stated = this.#names.map((name) => {
      const field = FIELDS[name];
      if (field !== undefined) return [name, field(model)];
      return [name, name in changed ? changed[name] : this.#constants[name]];
    });
    return Object.fromEntries(stated) as InitialState;
  }
}

function withPrefix(prefix: string, values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));
}

function unreadMessages({ unread, ownId }: Model): unknown {
  const streams: object[] = [];
  const pms: object[] = [];
  const huddles: object[] = [];
  const mentions: number[] = [];
  for (const { place, ids, mentions: own } of unread.groups()) {
    const unread_message_ids = [...ids];
    mentions.push(...own);
    if (place.kind === 'topic') streams.push({ stream_id: place.channelId, topic: place.topic, unread_message_ids });
    else if (place.userIds.length > 1) huddles.push({ user_ids_string: place.userIds.join(','), unread_message_ids });
    else pms.push({ other_user_id: place.userIds[0] ?? ownId, unread_message_ids });
  }
  return { count: unread.count, streams, pms, huddles, mentions, old_unreads_missing: unread.oldOnesMissing };
}

function usersOf({ users }: Model, isWanted: (user: UserRecord) => boolean): unknown {
  return [...users.all.values()].filter(isWanted).map((user) => ({
    user_id: user.id,
    full_name: user.name,
    email: user.email,
    delivery_email: user.deliveryEmail,
    role: user.role,
    is_active: user.isActive,
    is_bot: user.isBot,
    ...(user.isSystemBot && { is_system_bot: true }),
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    timezone: user.timezone,
    date_joined: user.dateJoined,
    avatar_url: user.avatarUrl,
    avatar_version: user.avatarVersion,
    profile_data: user.profileData,
  }));
}

function botsOf({ bots }: Model): unknown {
  return [...bots.all.values()].map((bot) => ({
    user_id: bot.id,
    email: bot.email,
    full_name: bot.name,
    bot_type: bot.type,
    is_active: bot.isActive,
    api_key: bot.apiKey,
    avatar_url: bot.avatarUrl,
    owner_id: bot.ownerId,
    default_sending_stream: bot.defaultSendingChannel,
    default_events_register_stream: bot.defaultEventsChannel,
    default_all_public_streams: bot.receivesAllPublicChannels,
    services: bot.services,
  }));
}

function groupsOf({ groups }: Model): unknown {
  return groups.all.map((group) => ({
    id: group.id,
    name: group.name,
    description: group.description,
    is_system_group: group.isSystem,
    deactivated: group.isDeactivated,
    creator_id: group.creatorId,
    date_created: group.createdAt,
    members: [...group.members],
    direct_subgroup_ids: [...group.subgroupIds],
    ...group.permissions,
  }));
}

function emojiOf({ emoji }: Model): unknown {
  const all = [...emoji.all.values()].map(({ id, name, url, stillUrl, isDeactivated, authorId }) => {
    return [id, { id, name, source_url: url, still_url: stillUrl, deactivated: isDeactivated, author_id: authorId }];
  });
  return Object.fromEntries(all);
}

function profileField(field: Model['profileFields']['all'][number]): ProfileField {
  return {
    id: field.id,
    name: field.name,
    type: field.type,
    hint: field.hint,
    field_data: JSON.stringify(field.data),
    order: field.order,
    required: field.isRequired,
    editable_by_user: field.isEditableByUser,
    ...(field.isInSummary && { display_in_profile_summary: true }),
  };
}

function statusesOf({ statuses }: Model): unknown {
  const all = [...statuses.all].map(([id, { text, emoji }]) => {
    const picture = emoji && { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type };
    return [id, { status_text: text, ...picture }];
  });
  return Object.fromEntries(all);
}

function presencesOf({ presence }: Model): unknown {
  const all = [...presence.all].map(([id, { activeAt, connectedAt }]) => {
    return [id, { active_timestamp: activeAt, idle_timestamp: connectedAt }];
  });
  return Object.fromEntries(all);
}

function wireChannel(channel: ChannelRecord): Partial<Channel> {
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.descriptionHtml,
    is_archived: channel.isArchived,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.hasSharedHistory,
    creator_id: channel.creatorId,
    date_created: channel.createdAt,
    ...toWire(CHANNEL_SETTINGS, channel),
    first_message_id: channel.firstMessageId,
    is_recently_active: channel.isRecentlyActive,
    subscriber_count: channel.subscriberCount,
    stream_weekly_traffic: channel.weeklyTraffic,
    ...channel.permissions,
  };
}

function subscriptionsOf(model: Model, isSubscribed: boolean): Partial<Subscription>[] {
  return [...model.channels.all.values()].flatMap((channel) => {
    const { settings } = channel;
    if (channel.isSubscribed !== isSubscribed || settings === null) return [];
    const own = toWire(SUBSCRIPTION_SETTINGS, settings);
    return [{ ...wireChannel(channel), ...own, ...subscribersOf(model, channel) }];
  });
}

function subscribersOf({ channels }: Model, { id }: ChannelRecord): Pick<Subscription, 'subscribers'> {
  const { ids } = channels.subscribersOf(id);
  return ids.size === 0 || ids.size > MAX_LISTED_SUBSCRIBERS ? {} : { subscribers: [...ids] };
}

function channelFoldersOf({ channelFolders }: Model): unknown {
  return channelFolders.all.map((folder, order) => ({
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: folder.descriptionHtml,
    creator_id: folder.creatorId,
    date_created: folder.createdAt,
    is_archived: folder.isArchived,
    order,
  }));
}

function topicPoliciesOf({ topicPolicies }: Model): unknown {
  return (['muted', 'unmuted', 'followed'] as const)
    .flatMap((policy) => topicPolicies.withPolicy(policy))
    .map(({ channelId, topic, updatedAt, policy }) => ({
      stream_id: channelId,
      topic_name: topic,
      last_updated: updatedAt,
      visibility_policy: policyNumber(policy),
    }));
}

function draftsOf({ drafts }: Model): unknown {
  return drafts.newestFirst.map(({ id, target, content, editedAt: timestamp }) => {
    return { id, ...wireTarget(target), content, timestamp };
  });
}

function wireTarget(target: DraftTarget): object {
  if (target.kind === 'channel') return { type: 'stream', to: [target.channelId], topic: target.topic };
  return target.kind === 'direct'
    ? { type: 'private', to: target.userIds, topic: '' }
    : { type: '', to: [], topic: '' };
}

function scheduledMessagesOf({ scheduledMessages }: Model): unknown {
  return scheduledMessages.soonestFirst.map(({ id, target, content, html, deliverAt, hasFailed }) => ({
    scheduled_message_id: id,
    ...(target.kind === 'channel'
      ? { type: 'stream', to: target.channelId, topic: target.topic }
      : { type: 'private', to: target.userIds }),
    content,
    rendered_content: html,
    scheduled_delivery_timestamp: deliverAt,
    failed: hasFailed,
  }));
}

function remindersOf({ reminders }: Model): unknown {
  return reminders.soonestFirst.map(({ id, messageId, content, html, deliverAt, hasFailed }) => ({
    reminder_id: id,
    reminder_target_message_id: messageId,
    content,
    rendered_content: html,
    scheduled_delivery_timestamp: deliverAt,
    failed: hasFailed,
  }));
}
