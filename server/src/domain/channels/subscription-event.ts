import type { ChannelView } from './present.ts';
import type { LoggedSettings } from './subscription-settings.ts';

/** A new subscriber in an event. A user without an earlier subscription needs only a color. */
export type Member = readonly [userId: number, color: string, kept?: LoggedSettings];

/** The body of an event of type `subscription`. */
export type SubscriptionEvent =
  /**
   * The members are subscribed now, and the view counts them. Deactivated accounts are subscribed too, but do not
   * count.
   */
  | {
      readonly op: 'add';
      readonly view: ChannelView;
      readonly members: readonly Member[];
      readonly deactivated: readonly number[];
      /**
       * Only for clients without the capability for archived channels: the channel was archived, and its subscriptions
       * continue.
       */
      readonly isBack?: true;
    }
  /** The audience's subscriptions have ended. */
  | { readonly op: 'remove'; readonly channelId: number; readonly isArchived: boolean; readonly name: string }
  /** A setting of the audience's subscription, with its API name. */
  | {
      readonly op: 'update';
      readonly channelId: number;
      readonly isArchived: boolean;
      readonly property: string;
      readonly value: boolean | string | null;
    }
  /** All subscribers at the event, for users who gained metadata access. Deactivated accounts do not count. */
  | {
      readonly op: 'peers';
      readonly channelId: number;
      readonly isArchived: boolean;
      readonly deactivated: readonly number[];
      /** See `add`. */
      readonly isBack?: true;
    }
  /** Other users joined or left. */
  | {
      readonly op: 'peer_add' | 'peer_remove';
      readonly channelId: number;
      readonly isArchived: boolean;
      readonly userIds: readonly number[];
    };
