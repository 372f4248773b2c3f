import type { LoggedEvent } from '../log/event.ts';
import {
  type ChannelAccess,
  type ChannelRecord,
  channelAccess,
  type GroupRecord,
  isSameAccess,
  type OrganizationRecord,
  type UserRecord,
} from './records.ts';
import type { HeldSettings } from './user-settings.ts';

/**
 * A state delta: what an event changes in the directory.
 *
 * - A record is complete and replaces the previous one. If access depends on a part that changed, `was` holds the
 *   previous value of that part.
 * - A membership carries only what was added and removed.
 * - Features have deltas of their own (`part.ts`).
 *
 * Each delta takes effect at the event that carries it. So the log is the history of access (access-history.ts).
 */
export type StateDelta =
  | {
      readonly delta: 'organization';
      readonly organization: OrganizationRecord;
      /** null: all members were full members. */
      readonly was?: { readonly fullMembersJoinedThrough: number | null };
    }
  | {
      readonly delta: 'user';
      readonly user: UserRecord;
      readonly was?: Pick<UserRecord, 'role'> & Partial<Pick<UserRecord, 'isActive'>>;
      readonly hasNewKey?: boolean;
    }
  /**
   * A separate delta, because nothing that others see of a user depends on these settings. If the address visibility
   * changes, the event carries a `user` delta too. Without `settings`, the user has none of their own.
   */
  | { readonly delta: 'user-settings'; readonly userId: number; readonly settings?: HeldSettings }
  | { readonly delta: 'channel'; readonly channel: ChannelRecord; readonly was?: ChannelAccess }
  | { readonly delta: 'group'; readonly group: GroupRecord; readonly was?: Pick<GroupRecord, 'isDeactivated'> }
  | GroupChange
  | { readonly delta: 'subscribed'; readonly channelId: number; readonly userIds: readonly number[] }
  | { readonly delta: 'unsubscribed'; readonly channelId: number; readonly userIds: readonly number[] }
  /** The guest can access these users from now on, through a direct conversation. */
  | { readonly delta: 'acquainted'; readonly userId: number; readonly others: readonly number[] }
  /**
   * The accessible users of these users changed too much to announce one by one. Their queues end, and their clients
   * register again.
   */
  | { readonly delta: 'queues_reset'; readonly userIds: readonly number[] }
  /** The event's message is the channel's first. */
  | { readonly delta: 'first-message'; readonly channelId: number }
  | { readonly delta: 'channel-activity'; readonly channelId: number; readonly isRecentlyActive: boolean };

/** A state delta of a feature. Deltas are stored in the log, so a kind must never change its name or its meaning. */
export interface PartDelta {
  readonly delta: string;
}

/** Users or groups added to and removed from a group, as direct members. */
export interface GroupChange {
  readonly delta: 'group-members' | 'group-subgroups';
  readonly groupId: number;
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

const KINDS: Readonly<Record<StateDelta['delta'], true>> = {
  organization: true,
  user: true,
  'user-settings': true,
  channel: true,
  group: true,
  'group-members': true,
  'group-subgroups': true,
  subscribed: true,
  unsubscribed: true,
  acquainted: true,
  queues_reset: true,
  'first-message': true,
  'channel-activity': true,
};

/** The event changes the directory in a way that this version does not know. A newer version wrote it. */
export class UnknownDeltaError extends Error {
  readonly kind: string;

  constructor(event: LoggedEvent, kind: string) {
    super(`event ${event.id} carries a state delta of the unknown kind ${kind}`);
    this.kind = kind;
  }
}

/** The state deltas of the event: those of the directory itself, and those of its parts. */
export function deltasOf(event: LoggedEvent): readonly (StateDelta | PartDelta)[] {
  return (event.deltas ?? NO_DELTAS) as readonly (StateDelta | PartDelta)[];
}

/** Whether the delta belongs to the directory itself, and not to one of its parts. */
export function isOwnDelta(delta: StateDelta | PartDelta): delta is StateDelta {
  return Object.hasOwn(KINDS, delta.delta);
}

const NO_DELTAS: readonly StateDelta[] = [];

/** The state delta of a changed organization. */
export function organizationDelta(organization: OrganizationRecord, before: OrganizationRecord): StateDelta {
  if (before.fullMembersJoinedThrough === organization.fullMembersJoinedThrough) {
    return { delta: 'organization', organization };
  }
  const was = { fullMembersJoinedThrough: before.fullMembersJoinedThrough ?? null };
  return { delta: 'organization', organization, was };
}

/** The state delta of a new or changed user. */
export function userDelta(user: UserRecord, before?: UserRecord): StateDelta {
  if (before === undefined || (before.role === user.role && before.isActive === user.isActive)) {
    return { delta: 'user', user };
  }
  return { delta: 'user', user, was: { role: before.role, isActive: before.isActive } };
}

/** The state delta of a new or changed channel. */
export function channelDelta(channel: ChannelRecord, before?: ChannelRecord): StateDelta {
  if (before === undefined || isSameAccess(before, channel)) return { delta: 'channel', channel };
  return { delta: 'channel', channel, was: channelAccess(before) };
}

/** The state delta of a new or changed group. */
export function groupDelta(group: GroupRecord, before?: GroupRecord): StateDelta {
  if (before === undefined || before.isDeactivated === group.isDeactivated) return { delta: 'group', group };
  return { delta: 'group', group, was: { isDeactivated: before.isDeactivated } };
}

/** The users whose earlier queues end at this event. */
export function queueResetsBy(event: LoggedEvent): readonly number[] {
  const deltas = (event.deltas ?? []) as readonly StateDelta[];
  return deltas.flatMap((delta) => (delta.delta === 'queues_reset' ? delta.userIds : []));
}
