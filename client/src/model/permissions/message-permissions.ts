import type { ChannelPermission, ChannelRecord } from '../channels/channel-record.ts';
import type { Channels } from '../channels/channels.ts';
import type { Organization, OrganizationPermission } from '../organization.ts';
import type { Groups } from '../people/groups.ts';
import type { Users } from '../people/users.ts';
import type { Caller } from './caller.ts';
import type { ChannelPermissions } from './channel-permissions.ts';
import { ALLOWED, all, any, type PermissionResult, refused } from './permission-result.ts';

/** The part of a message that decides who may change it. */
export interface MessageFacts {
  readonly senderId: number;
  /** Null for direct messages. */
  readonly channelId: number | null;
  /** Seconds since the epoch. */
  readonly sentAt: number;
}

/** A move of messages. */
export interface MessageMove {
  readonly from: ChannelRecord;
  /** The same channel if only the topic changes. */
  readonly to: ChannelRecord;
  /** What happens to the name of the topic. `resolved`: the mark of resolved topics is set or removed. */
  readonly topic: 'kept' | 'renamed' | 'resolved';
}

/**
 * What the user may do with messages that they can read.
 *
 * Invariant: the results are those of the server's checks (`server/src/access/`), except that the server gives a few
 * more seconds after a time limit to users who began in time.
 */
export class MessagePermissions {
  readonly #caller: Caller;
  readonly #organization: Organization;
  readonly #groups: Groups;
  readonly #channels: Channels;
  readonly #users: Users;
  readonly #ofChannels: ChannelPermissions;

  constructor(
    caller: Caller,
    organization: Organization,
    { groups, channels, users }: { readonly groups: Groups; readonly channels: Channels; readonly users: Users },
    ofChannels: ChannelPermissions,
  ) {
    this.#caller = caller;
    this.#organization = organization;
    this.#groups = groups;
    this.#channels = channels;
    this.#users = users;
    this.#ofChannels = ofChannels;
  }

  react({ channelId }: MessageFacts): PermissionResult {
    return this.#changeable(channelId);
  }

  /** @param now seconds since the epoch */
  editContent(message: MessageFacts, now: number): PermissionResult {
    const { settings } = this.#organization;
    return all(
      () => this.#changeable(message.channelId),
      () => (settings.allow_message_editing ? ALLOWED : refused('disabled')),
      () => (message.senderId === this.#caller.account.userId ? ALLOWED : refused('not own')),
      () => within(message, settings.message_content_edit_limit_seconds, now),
    );
  }

  /** @param now seconds since the epoch */
  delete(message: MessageFacts, now: number): PermissionResult {
    const channel = message.channelId === null ? undefined : this.#channels.get(message.channelId);
    const may = (name: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
      any(
        () => (channel === undefined ? refused('permission') : this.#ofChannels.granted(channel, name)),
        () => this.#caller.needs(name),
      );
    const deleteOwn = () =>
      all(
        () => (this.#isOwn(message) ? ALLOWED : refused('not own')),
        () => may('can_delete_own_message_group'),
        () => within(message, this.#organization.settings.message_content_delete_limit_seconds, now),
      );
    return all(
      () => this.#changeable(message.channelId),
      () => any(() => may('can_delete_any_message_group'), deleteOwn),
    );
  }

  /** Whether the user may make this move, regardless of the age of the messages: see `moveLimit`. */
  move(move: MessageMove): PermissionResult {
    if (move.from.isArchived || move.to.isArchived) return refused('archived');
    return all(
      () => this.#changeTopic(move),
      () => this.#changeChannel(move),
    );
  }

  resolve(channel: ChannelRecord): PermissionResult {
    return this.move({ from: channel, to: channel, topic: 'resolved' });
  }

  /** How old messages can be for this move, in seconds. Null: any age. */
  moveLimit({ from, to, topic }: MessageMove): number | null {
    // Time limits do not apply to moderators.
    if (this.#caller.account.isModerator) return null;
    const { settings } = this.#organization;
    const limits = [
      topic === 'renamed' ? settings.move_messages_within_stream_limit_seconds : null,
      from.id === to.id ? null : settings.move_messages_between_streams_limit_seconds,
    ].filter((limit) => limit !== null);
    return limits.length === 0 ? null : Math.min(...limits);
  }

  /**
   * Whether the user may write to these users directly.
   * @param userIds with or without the own id
   * @param isNew whether the conversation has no messages yet, as far as the user knows
   */
  writeDirectly(userIds: readonly number[], isNew: boolean): PermissionResult {
    const { userId: ownId } = this.#caller.account;
    if (ownId === undefined) return refused('spectator');
    const others = userIds.filter((id) => id !== ownId).map((id) => this.#users.get(id));
    if (others.some((user) => user === undefined)) return refused('hidden');
    if (others.some((user) => user?.isActive === false)) return refused('deactivated');
    if (others.every((user) => user?.isBot)) return ALLOWED;
    const { direct_message_permission_group: permitted } = this.#organization.settings;
    const isPermitted = (id: number) => this.#groups.includes(permitted, id);
    if (!isPermitted(ownId) && !userIds.some(isPermitted)) return refused('permission', { allowedTo: permitted });
    return isNew ? this.#caller.needs('direct_message_initiator_group') : ALLOWED;
  }

  #changeTopic({ from, to, topic }: MessageMove): PermissionResult {
    if (topic === 'kept') return ALLOWED;
    const channels = from.id === to.id ? [from] : [from, to];
    const may = (here: ChannelPermission, anywhere: OrganizationPermission) => [
      ...channels.map((channel) => () => this.#ofChannels.granted(channel, here)),
      () => this.#caller.needs(anywhere),
    ];
    if (topic === 'resolved') return any(...may('can_resolve_topics_group', 'can_resolve_topics_group'));
    return any(
      ...channels.map((channel) => () => this.#ofChannels.administer(channel)),
      ...may('can_move_messages_within_channel_group', 'can_move_messages_between_topics_group'),
    );
  }

  #changeChannel({ from, to }: MessageMove): PermissionResult {
    if (from.id === to.id) return ALLOWED;
    const leave = () =>
      any(
        () => this.#ofChannels.administer(from),
        () => this.#ofChannels.granted(from, 'can_move_messages_out_of_channel_group'),
        () => this.#caller.needs('can_move_messages_between_channels_group'),
      );
    return all(leave, () => this.#ofChannels.post(to));
  }

  /** Whether the user may pin and unpin messages of the channel. Who administers it may. Others also need the right to post there. */
  pin(channel: ChannelRecord): PermissionResult {
    return all(
      () => this.#changeable(channel.id),
      () =>
        any(
          () => this.#ofChannels.administer(channel),
          () =>
            all(
              () => this.#caller.needs('can_pin_messages_group'),
              () => this.#ofChannels.post(channel),
            ),
        ),
    );
  }

  /** Messages in archived channels cannot change. */
  #changeable(channelId: number | null): PermissionResult {
    if (this.#caller.account.userId === undefined) return refused('spectator');
    if (channelId === null) return ALLOWED;
    return this.#channels.get(channelId)?.isArchived ? refused('archived') : ALLOWED;
  }

  /** Messages of one's bots are one's own. */
  #isOwn({ senderId }: MessageFacts): boolean {
    const { userId } = this.#caller.account;
    return senderId === userId || this.#users.get(senderId)?.botOwnerId === userId;
  }
}

/** @param limit in seconds; null for none */
function within({ sentAt }: MessageFacts, limit: number | null, now: number): PermissionResult {
  return limit !== null && now - sentAt > limit ? refused('time limit', { limitSeconds: limit }) : ALLOWED;
}
