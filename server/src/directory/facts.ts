import type { LoggedEvent } from '../log/event.ts';
import type { ProfileFieldRecord, ProfileValue } from './profiles.ts';
import {
  type ChannelAccess,
  type ChannelRecord,
  channelAccess,
  type EmojiRecord,
  type GroupRecord,
  isSameAccess,
  type OrganizationRecord,
  type UserRecord,
} from './records.ts';
import type { HeldSettings } from './user-settings.ts';

/**
 * A state delta: what an event changes in the directory.
 * - A record is complete and replaces the previous one. If access depends on a part that changed, `was` holds the
 *   previous value of that part.
 * - A membership carries only what was added and removed.
 * Each delta takes effect at the event that carries it. So the log is the history of access (access-history.ts).
 */
export type Fact =
  | {
      readonly fact: 'organization';
      readonly organization: OrganizationRecord;
      /** null: all members were full members. */
      readonly was?: { readonly fullMembersJoinedThrough: number | null };
    }
  | {
      readonly fact: 'user';
      readonly user: UserRecord;
      readonly was?: Pick<UserRecord, 'role'> & Partial<Pick<UserRecord, 'isActive'>>;
      readonly hasNewKey?: boolean;
    }
  /**
   * A separate delta, because nothing that others see of a user depends on these settings. If the address visibility
   * changes, the event carries a `user` delta too. Without `settings`, the user has none of their own.
   */
  | { readonly fact: 'user-settings'; readonly userId: number; readonly settings?: HeldSettings }
  | { readonly fact: 'channel'; readonly channel: ChannelRecord; readonly was?: ChannelAccess }
  | { readonly fact: 'group'; readonly group: GroupRecord; readonly was?: Pick<GroupRecord, 'isDeactivated'> }
  | GroupChange
  | { readonly fact: 'subscribed'; readonly channelId: number; readonly userIds: readonly number[] }
  | { readonly fact: 'unsubscribed'; readonly channelId: number; readonly userIds: readonly number[] }
  | { readonly fact: 'emoji'; readonly emoji: EmojiRecord }
  /** All alert words of the user from now on. */
  | { readonly fact: 'alert-words'; readonly userId: number; readonly words: readonly string[] }
  | { readonly fact: 'muted-user'; readonly userId: number; readonly mutedUserId: number; readonly isMuted: boolean }
  | { readonly fact: 'profile-field'; readonly field: ProfileFieldRecord }
  | { readonly fact: 'profile-field-gone'; readonly fieldId: number }
  /** Without a value, the user has none any more. */
  | {
      readonly fact: 'profile-value';
      readonly fieldId: number;
      readonly userId: number;
      readonly value?: ProfileValue;
    }
  /** The guest can access these users from now on, through a direct conversation. */
  | { readonly fact: 'acquainted'; readonly userId: number; readonly others: readonly number[] }
  /**
   * The accessible users of these users changed too much to announce one by one. Their queues end, and their clients
   * register again.
   */
  | { readonly fact: 'anew'; readonly userIds: readonly number[] }
  /** The event's message is the channel's first. */
  | { readonly fact: 'first-message'; readonly channelId: number }
  | { readonly fact: 'channel-activity'; readonly channelId: number; readonly isRecentlyActive: boolean };

/** Users or groups added to and removed from a group, as direct members. */
export interface GroupChange {
  readonly fact: 'group-members' | 'group-subgroups';
  readonly groupId: number;
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

const KINDS: Readonly<Record<Fact['fact'], true>> = {
  organization: true,
  user: true,
  'user-settings': true,
  channel: true,
  group: true,
  'group-members': true,
  'group-subgroups': true,
  subscribed: true,
  unsubscribed: true,
  emoji: true,
  'alert-words': true,
  'muted-user': true,
  'profile-field': true,
  'profile-field-gone': true,
  'profile-value': true,
  acquainted: true,
  anew: true,
  'first-message': true,
  'channel-activity': true,
};

/** The event changes the directory in a way that this version does not know. A newer version wrote it. */
export class UnknownFactError extends Error {
  readonly kind: string;

  constructor(event: LoggedEvent, kind: string) {
    super(`event ${event.id} carries a state delta of the unknown kind ${kind}`);
    this.kind = kind;
  }
}

/**
 * Returns the state deltas of the event.
 * @throws UnknownFactError if this version does not know one of them
 */
export function factsOf(event: LoggedEvent): readonly Fact[] {
  if (event.facts === undefined) return NO_FACTS;
  const facts = event.facts as readonly Fact[];
  for (const { fact } of facts) if (!Object.hasOwn(KINDS, fact)) throw new UnknownFactError(event, String(fact));
  return facts;
}

const NO_FACTS: readonly Fact[] = [];

/** The state delta of a changed organization. */
export function organizationFact(organization: OrganizationRecord, before: OrganizationRecord): Fact {
  if (before.fullMembersJoinedThrough === organization.fullMembersJoinedThrough) {
    return { fact: 'organization', organization };
  }
  const was = { fullMembersJoinedThrough: before.fullMembersJoinedThrough ?? null };
  return { fact: 'organization', organization, was };
}

/** The state delta of a new or changed user. */
export function userFact(user: UserRecord, before?: UserRecord): Fact {
  if (before === undefined || (before.role === user.role && before.isActive === user.isActive)) {
    return { fact: 'user', user };
  }
  return { fact: 'user', user, was: { role: before.role, isActive: before.isActive } };
}

/** The state delta of a new or changed channel. */
export function channelFact(channel: ChannelRecord, before?: ChannelRecord): Fact {
  if (before === undefined || isSameAccess(before, channel)) return { fact: 'channel', channel };
  return { fact: 'channel', channel, was: channelAccess(before) };
}

/** The state delta of a new or changed group. */
export function groupFact(group: GroupRecord, before?: GroupRecord): Fact {
  if (before === undefined || before.isDeactivated === group.isDeactivated) return { fact: 'group', group };
  return { fact: 'group', group, was: { isDeactivated: before.isDeactivated } };
}

/** The users whose earlier queues end at this event. */
export function begunAnewBy(event: LoggedEvent): readonly number[] {
  const facts = (event.facts ?? []) as readonly Fact[];
  return facts.flatMap((fact) => (fact.fact === 'anew' ? fact.userIds : []));
}

/** The users whose credentials become invalid at this event: the account is closed, or has a new key. */
export function shutOutBy(event: LoggedEvent): readonly number[] {
  const facts = (event.facts ?? []) as readonly Fact[];
  return facts.flatMap((fact) => (fact.fact === 'user' && (!fact.user.isActive || fact.hasNewKey) ? fact.user.id : []));
}
