/**
 * Who an event is for, as a rule and never as a list of an audience that grows with the organization (I5). Each process
 * resolves it with the directory, as of the event: what the event itself changes has happened.
 */
export type Audience =
  /** Exactly these users. */
  | { readonly to: 'users'; readonly users: readonly number[] }
  /** Every active user of the organization, but those named. */
  | { readonly to: 'everyone'; readonly except?: readonly number[] }
  /** Whoever is in the group, directly or not. */
  | { readonly to: 'group'; readonly groupId: number }
  /**
   * Whoever is subscribed to the channel when the event happens; and queues that follow all public channels, unless it is for subscribers
   * `only`: so it must be in an `except`, which would else keep from such queues what their users hear otherwise.
   */
  | { readonly to: 'subscribers'; readonly channelId: number; readonly only?: true }
  /**
   * All who may know that the channel exists, but those named. `as`: who might, were it of this kind; `letting`, only beside that: were
   * its permissions these.
   */
  | {
      readonly to: 'channel-viewers';
      readonly channelId: number;
      readonly as?: ChannelKind;
      readonly letting?: RevealingPermissions;
      readonly except?: readonly number[];
    }
  /** Of these those who may not know the user (directory/sight.ts), as the event leaves it. */
  | { readonly to: 'strangers'; readonly userId: number; readonly among: Audience }
  /** Whoever is in one of these audiences, but those in `except`. */
  | { readonly to: 'any'; readonly of: readonly Audience[]; readonly except?: Audience }
  /** Nobody: the event only carries facts for the directories. */
  | { readonly to: 'nobody' };

/** Of a channel, whom it shows itself to without more. */
export type ChannelKind = 'public' | 'private' | 'web-public';

/** The permissions of a channel that show it to those who have them (`REVEALING_SETTINGS` in directory/records.ts). */
export interface RevealingPermissions {
  readonly can_administer_channel: Grant;
  readonly can_add_subscribers: Grant;
  readonly can_subscribe: Grant;
}

/** A group's id, or users and groups named directly. */
type Grant = number | { readonly directMembers: readonly number[]; readonly directSubgroups: readonly number[] };

/** What a change adds to the log. The log numbers it when it commits. */
export interface NewEvent {
  /** The wire type, which queues select by (`message`, `subscription`, …). */
  readonly type: string;
  readonly audience: Audience;
  /** What the event's presenter (log/presentation.ts) turns into the wire's fields. Must survive JSON. */
  readonly body: unknown;
  /** What the directory folds in (directory/facts.ts); absent where the directory does not change. */
  readonly facts?: readonly unknown[];
  /** For events about one message whose id the log itself hands out. */
  readonly messageId?: number;
}

/** An event in its place: ids are per organization, start at 1 and have no holes (I2). */
export interface LoggedEvent extends NewEvent {
  readonly organizationId: number;
  readonly id: number;
  /** Committed without waiting for the disk; readers get it once it is durable. */
  readonly ephemeral: boolean;
}
