/**
 * The audience of an event. It is a rule, never a list that grows with the organization (I5). Each process resolves it
 * with its directory, as of the event. Roles, groups and channels are taken as the event leaves them, subscriptions as
 * they were before it.
 */
export type Audience =
  /** Exactly these users. */
  | { readonly to: 'users'; readonly users: readonly number[] }
  /** Every active user of the organization, except those in `except`. */
  | { readonly to: 'everyone'; readonly except?: readonly number[] }
  /** Every member of the group, direct or through subgroups. */
  | { readonly to: 'group'; readonly groupId: number }
  /**
   * Users who were subscribed to the channel before the event. It also includes queues that follow all public channels,
   * unless `only` is set. Use `only` inside an `except`. Without it, the `except` would also exclude queues that follow
   * all public channels, although their users are in the audience for another reason.
   */
  | { readonly to: 'subscribers'; readonly channelId: number; readonly only?: true }
  /**
   * Users who can access the metadata of the channel, except those in `except`. With `as`: users who could if the
   * channel were of that kind. With `letting` (only together with `as`): users who could if it also had those
   * permissions.
   */
  | {
      readonly to: 'channel-viewers';
      readonly channelId: number;
      readonly as?: ChannelKind;
      readonly letting?: RevealingPermissions;
      readonly except?: readonly number[];
    }
  /** Users of `among` who cannot access this user (directory/accessible-users.ts), in the state after the event. */
  | { readonly to: 'usersWithoutAccess'; readonly userId: number; readonly among: Audience }
  /** Users in at least one of the audiences `of`, except those in `except`. */
  | { readonly to: 'any'; readonly of: readonly Audience[]; readonly except?: Audience }
  /** No user. The event only carries state deltas for the directories. */
  | { readonly to: 'nobody' };

/** The kind of a channel. It decides who can access the metadata without any permission. */
export type ChannelKind = 'public' | 'private' | 'web-public';

/** The permissions of a channel that give access to its metadata (`REVEALING_SETTINGS` in directory/records.ts). */
export interface RevealingPermissions {
  readonly can_administer_channel: Grant;
  readonly can_add_subscribers: Grant;
  readonly can_subscribe: Grant;
}

/** A group's id, or users and groups named directly. */
type Grant = number | { readonly directMembers: readonly number[]; readonly directSubgroups: readonly number[] };

/** An event that a change appends to the log. The log assigns the id at the commit. */
export interface NewEvent {
  /** The type on the wire (`message`, `subscription`, …). Queues filter by it. */
  readonly type: string;
  readonly audience: Audience;
  /** The input of the event's presenter (log/presentation.ts). It must survive JSON serialization. */
  readonly body: unknown;
  /** State deltas that the directory applies (directory/state-deltas.ts). Absent if the directory does not change. */
  readonly deltas?: readonly unknown[];
  /**
   * The message that the event is about, unless the same commit sends that message. The log fills in the id of a new
   * message itself.
   */
  readonly messageId?: number;
}

/** An event in the log. Ids are per organization, start at 1 and have no gaps (I2). */
export interface LoggedEvent extends NewEvent {
  readonly organizationId: number;
  readonly id: number;
  /** Committed without waiting for the disk. Readers receive it only after it is durable. */
  readonly ephemeral: boolean;
}
