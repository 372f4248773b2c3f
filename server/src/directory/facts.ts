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
 * What an event changes in the directory. Records come whole (the last one counts), with what `was` before of that on which audiences
 * depend, where it was different; memberships come as changes. Both are dated by the event that carries them, so that the log is the
 * history of who could know what (access-history.ts).
 */
export type Fact =
  | {
      readonly fact: 'organization';
      readonly organization: OrganizationRecord;
      /** null: everybody was a full member. */
      readonly was?: { readonly fullMembersJoinedThrough: number | null };
    }
  | {
      readonly fact: 'user';
      readonly user: UserRecord;
      readonly was?: Pick<UserRecord, 'role'> & Partial<Pick<UserRecord, 'isActive'>>;
      readonly hasNewKey?: boolean;
    }
  /**
   * By itself, since nothing that is shown of users follows from it; whom an address is told comes with a fact of the user besides.
   * Settings that are missing: none were decided.
   */
  | { readonly fact: 'user-settings'; readonly userId: number; readonly settings?: HeldSettings }
  | { readonly fact: 'channel'; readonly channel: ChannelRecord; readonly was?: ChannelAccess }
  | { readonly fact: 'group'; readonly group: GroupRecord; readonly was?: Pick<GroupRecord, 'isDeactivated'> }
  | GroupChange
  | { readonly fact: 'subscribed'; readonly channelId: number; readonly userIds: readonly number[] }
  | { readonly fact: 'unsubscribed'; readonly channelId: number; readonly userIds: readonly number[] }
  | { readonly fact: 'emoji'; readonly emoji: EmojiRecord }
  /** All that the user has from now on. */
  | { readonly fact: 'alert-words'; readonly userId: number; readonly words: readonly string[] }
  | { readonly fact: 'muted-user'; readonly userId: number; readonly mutedUserId: number; readonly isMuted: boolean }
  | { readonly fact: 'profile-field'; readonly field: ProfileFieldRecord }
  | { readonly fact: 'profile-field-gone'; readonly fieldId: number }
  /** Without a value: none any more. */
  | {
      readonly fact: 'profile-value';
      readonly fieldId: number;
      readonly userId: number;
      readonly value?: ProfileValue;
    }
  /** The guest knows these people from now on by a direct conversation. */
  | { readonly fact: 'acquainted'; readonly userId: number; readonly others: readonly number[] }
  /** Whom these users may know has changed by so much that their clients are to begin anew: queues of before are no more. */
  | { readonly fact: 'anew'; readonly userIds: readonly number[] }
  /** The event's message is the channel's first. */
  | { readonly fact: 'first-message'; readonly channelId: number }
  | { readonly fact: 'channel-activity'; readonly channelId: number; readonly isRecentlyActive: boolean };

/** Users, or groups, that are from now on directly in a group and were not before, and the other way round. */
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

/** An event changes the directory in a way that this version does not know: a newer one has written it. */
export class UnknownFactError extends Error {
  readonly kind: string;

  constructor(event: LoggedEvent, kind: string) {
    super(`event ${event.id} carries a fact of the unknown kind ${kind}`);
    this.kind = kind;
  }
}

/**
 * What the event changes, all of it known.
 * @throws UnknownFactError
 */
export function factsOf(event: LoggedEvent): readonly Fact[] {
  if (event.facts === undefined) return NO_FACTS;
  const facts = event.facts as readonly Fact[];
  for (const { fact } of facts) if (!Object.hasOwn(KINDS, fact)) throw new UnknownFactError(event, String(fact));
  return facts;
}

const NO_FACTS: readonly Fact[] = [];

/** The organization changed. */
export function organizationFact(organization: OrganizationRecord, before: OrganizationRecord): Fact {
  if (before.fullMembersJoinedThrough === organization.fullMembersJoinedThrough) {
    return { fact: 'organization', organization };
  }
  const was = { fullMembersJoinedThrough: before.fullMembersJoinedThrough ?? null };
  return { fact: 'organization', organization, was };
}

/** The user is new, or changed. */
export function userFact(user: UserRecord, before?: UserRecord): Fact {
  if (before === undefined || (before.role === user.role && before.isActive === user.isActive)) {
    return { fact: 'user', user };
  }
  return { fact: 'user', user, was: { role: before.role, isActive: before.isActive } };
}

/** The channel is new, or changed. */
export function channelFact(channel: ChannelRecord, before?: ChannelRecord): Fact {
  if (before === undefined || isSameAccess(before, channel)) return { fact: 'channel', channel };
  return { fact: 'channel', channel, was: channelAccess(before) };
}

/** The group is new, or changed. */
export function groupFact(group: GroupRecord, before?: GroupRecord): Fact {
  if (before === undefined || before.isDeactivated === group.isDeactivated) return { fact: 'group', group };
  return { fact: 'group', group, was: { isDeactivated: before.isDeactivated } };
}

/** The users whose queues of before are no more from this event on. */
export function begunAnewBy(event: LoggedEvent): readonly number[] {
  const facts = (event.facts ?? []) as readonly Fact[];
  return facts.flatMap((fact) => (fact.fact === 'anew' ? fact.userIds : []));
}

/** The users whose credentials are refused from this event on: their account is closed, or has another key. */
export function shutOutBy(event: LoggedEvent): readonly number[] {
  const facts = (event.facts ?? []) as readonly Fact[];
  return facts.flatMap((fact) => (fact.fact === 'user' && (!fact.user.isActive || fact.hasNewKey) ? fact.user.id : []));
}
