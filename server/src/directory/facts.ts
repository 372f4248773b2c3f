import type { ChannelRecord, GroupRecord, OrganizationRecord, UserRecord } from './records.ts';

/**
 * What an event changes in the directory. Records come whole (the last one counts); memberships come as changes, dated by the
 * event that carries them.
 */
export type Fact =
  | { readonly fact: 'organization'; readonly organization: OrganizationRecord }
  | { readonly fact: 'user'; readonly user: UserRecord }
  | { readonly fact: 'channel'; readonly channel: ChannelRecord }
  | { readonly fact: 'group'; readonly group: GroupRecord }
  | { readonly fact: 'subscribed'; readonly channelId: number; readonly userIds: readonly number[] }
  | { readonly fact: 'unsubscribed'; readonly channelId: number; readonly userIds: readonly number[] }
  /** The event's message is the channel's first. */
  | { readonly fact: 'first-message'; readonly channelId: number };
