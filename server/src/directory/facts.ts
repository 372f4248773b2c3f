import type { LoggedEvent } from '../log/event.ts';
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

/** The users who have no access any more from this event on. */
export function deactivatedBy(event: LoggedEvent): readonly number[] {
  const facts = (event.facts ?? []) as readonly Fact[];
  return facts.flatMap((fact) => (fact.fact === 'user' && !fact.user.isActive ? fact.user.id : []));
}
