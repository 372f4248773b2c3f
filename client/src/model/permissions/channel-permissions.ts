import type { ChannelPermission, ChannelRecord } from '../channels/channel-record.ts';
import type { Channels } from '../channels/channels.ts';
import type { Organization } from '../organization.ts';
import type { Groups } from '../people/groups.ts';
import type { Users } from '../people/users.ts';
import type { Caller } from './caller.ts';
import { ALLOWED, all, any, type PermissionResult, refused } from './permission-result.ts';
import {
  CHANNEL_REQUIREMENTS,
  type ChannelRequirement,
  type ChannelSetting,
  GUEST_CHANNEL_PERMISSIONS,
} from './permission-table.ts';

/** Which messages of a channel the user may read: none, all, or those sent while the user was subscribed. */
export type ContentAccess = 'none' | 'received' | 'all';

export type ChannelKind = 'public' | 'private' | 'web-public';

const CREATED_WITH = {
  public: 'can_create_public_channel_group',
  private: 'can_create_private_channel_group',
  'web-public': 'can_create_web_public_channel_group',
} as const satisfies Record<ChannelKind, string>;

/** In channels with more subscribers, only some users may mention all of them. The same holds for topics. */
const LARGE_AUDIENCE_RECIPIENTS = 15;

/**
 * What the user may do with channels.
 *
 * Invariant: the results are those of the server's checks (`server/src/access/channels.ts`). A property test compares
 * them.
 */
export class ChannelPermissions {
  readonly #caller: Caller;
  readonly #organization: Organization;
  readonly #groups: Groups;
  readonly #channels: Channels;
  readonly #users: Users;

  constructor(caller: Caller, organization: Organization, groups: Groups, channels: Channels, users: Users) {
    this.#caller = caller;
    this.#organization = organization;
    this.#groups = groups;
    this.#channels = channels;
    this.#users = users;
  }

  create(kind: ChannelKind): PermissionResult {
    const { account } = this.#caller;
    if (account.isGuest) return refused('guest');
    if (kind === 'web-public' && !this.#hasSpectatorAccess()) return refused('disabled');
    return this.#caller.needs(CREATED_WITH[kind]);
  }

  /** Which messages of the channel the user may read. Archiving a channel does not change this. */
  contentAccess(channel: ChannelRecord): ContentAccess {
    if (this.#caller.account.userId === undefined) return channel.isWebPublic ? 'all' : 'none';
    if (!this.#hasContent(channel)) return 'none';
    return isProtected(channel) ? 'received' : 'all';
  }

  /** Whether the user may send messages there. The topics policy is not checked here. */
  post(channel: ChannelRecord): PermissionResult {
    const { account } = this.#caller;
    if (account.userId === undefined) return refused('spectator');
    if (channel.isArchived) return refused('archived');
    // With protected history, users who are not subscribed could not read the message that they send.
    const reaches = !isProtected(channel) && this.subscribe(channel).allowed;
    if (!channel.isSubscribed && !this.#isOwnerSubscribed(channel) && !reaches) return refused('not subscribed');
    return any(
      () => this.#ownerCanPost(channel),
      () => this.granted(channel, 'can_send_message_group'),
    );
  }

  /** Whether the channel allows the topic. Empty is the topic without a name. */
  topic(channel: ChannelRecord, topic: string): PermissionResult {
    const policy = this.#organization.topicsPolicy(channel.topicsPolicy);
    if (policy === 'disable_empty_topic' && topic === '') return refused('topic required');
    return policy === 'empty_topic_only' && topic !== '' ? refused('topic forbidden') : ALLOWED;
  }

  /** Whether the user may mention all subscribers (`@**all**`). */
  mentionAll(channel: ChannelRecord): PermissionResult {
    if (channel.subscriberCount <= LARGE_AUDIENCE_RECIPIENTS) return ALLOWED;
    return this.#caller.needs('can_mention_many_users_group');
  }

  /** Whether the user may mention all participants of a topic (`@**topic**`). */
  mentionTopic(participants: number): PermissionResult {
    if (participants <= LARGE_AUDIENCE_RECIPIENTS) return ALLOWED;
    return this.#caller.needs('can_mention_many_users_group');
  }

  /** Whether the user may subscribe. Users who may can also read without subscribing. */
  subscribe(channel: ChannelRecord): PermissionResult {
    const { account } = this.#caller;
    if (account.userId === undefined) return refused('spectator');
    if (channel.isWebPublic || channel.isSubscribed) return ALLOWED;
    if (account.isGuest) return refused('guest');
    if (!channel.isPrivate) return ALLOWED;
    return any(
      () => this.granted(channel, 'can_add_subscribers_group'),
      () => this.granted(channel, 'can_subscribe_group'),
    );
  }

  /** Whether the user may subscribe others. */
  addSubscribers(channel: ChannelRecord): PermissionResult {
    if (this.#caller.account.isGuest) return refused('guest');
    return all(
      () => this.subscribe(channel),
      () =>
        any(
          () => this.granted(channel, 'can_add_subscribers_group'),
          () => this.administer(channel),
          () => this.#caller.needs('can_add_subscribers_group'),
        ),
    );
  }

  /** Whether the user may unsubscribe others. Everyone can unsubscribe themselves. */
  removeSubscribers(channel: ChannelRecord): PermissionResult {
    if (this.#caller.account.isGuest) return refused('guest');
    return any(
      () => this.administer(channel),
      () => this.granted(channel, 'can_remove_subscribers_group'),
    );
  }

  /** Whether the user may change settings of the channel. Some settings need more: `change`. */
  administer(channel: ChannelRecord): PermissionResult {
    if (this.#caller.account.isAdministrator) return ALLOWED;
    return this.granted(channel, 'can_administer_channel_group');
  }

  /** Whether the user may change this setting of the channel. */
  change(channel: ChannelRecord, setting: ChannelSetting): PermissionResult {
    const requirements = CHANNEL_REQUIREMENTS[setting] ?? ['channel-administrator'];
    return all(...requirements.map((requirement) => () => this.#meets(requirement, channel)));
  }

  /** Whether the user may choose this setting of a channel that they are creating. */
  changeNew(setting: ChannelSetting): PermissionResult {
    const requirements = CHANNEL_REQUIREMENTS[setting] ?? [];
    return all(...requirements.map((requirement) => () => this.#meets(requirement, undefined)));
  }

  /** Whether the channel's own setting grants the permission. Other reasons to grant it are not checked. */
  granted(channel: ChannelRecord, name: ChannelPermission): PermissionResult {
    return this.#caller.granted(channel.permissions[name], GUEST_CHANNEL_PERMISSIONS.has(name));
  }

  /** @param channel undefined for a new one, whose creator meets the requirements about it */
  #meets(requirement: ChannelRequirement, channel: ChannelRecord | undefined): PermissionResult {
    switch (requirement) {
      case 'owner':
      case 'administrator':
        return this.#caller.needsRole(requirement);
      case 'channel-administrator':
        return channel === undefined ? ALLOWED : this.administer(channel);
      case 'content-access':
        return channel === undefined || this.#hasContent(channel) ? ALLOWED : refused('not subscribed');
      case 'topics-policy':
        return this.#needsUnlessAdministrator('can_set_topics_policy_group');
      case 'deletion-policy':
        return this.#needsUnlessAdministrator('can_set_delete_message_policy_group');
    }
  }

  #needsUnlessAdministrator(name: 'can_set_topics_policy_group' | 'can_set_delete_message_policy_group') {
    return this.#caller.account.isAdministrator ? ALLOWED : this.#caller.needs(name);
  }

  #hasContent(channel: ChannelRecord): boolean {
    return channel.isSubscribed || this.subscribe(channel).allowed;
  }

  #hasSpectatorAccess(): boolean {
    return this.#organization.server.web_public_streams_enabled && this.#organization.settings.enable_spectator_access;
  }

  /** The owner of this account, if it is a bot. */
  get #ownerId(): number | null {
    const { userId } = this.#caller.account;
    return userId === undefined ? null : (this.#users.get(userId)?.botOwnerId ?? null);
  }

  /** A bot may post where its owner is subscribed. */
  #isOwnerSubscribed(channel: ChannelRecord): boolean {
    return this.#ownerId !== null && this.#channels.isSubscriber(channel.id, this.#ownerId) === true;
  }

  #ownerCanPost(channel: ChannelRecord): PermissionResult {
    const value = channel.permissions.can_send_message_group;
    const can = this.#ownerId !== null && this.#groups.includes(value, this.#ownerId);
    return can ? ALLOWED : refused('permission', { allowedTo: value });
  }
}

/** Whether subscribers read only what was there while they were subscribed. */
function isProtected({ isPrivate, isWebPublic, hasSharedHistory }: ChannelRecord): boolean {
  return isPrivate && !isWebPublic && !hasSharedHistory;
}
