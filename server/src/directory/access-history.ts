import { AmendedGroups } from './amended-groups.ts';
import type { Groups } from './groups.ts';
import type { Member, Memberships } from './memberships.ts';
import { PastPairs, PastValues } from './past-values.ts';
import { type ChannelAccess, channelAccess, isSameAccess, type UserRecord } from './records.ts';
import type { StateDelta } from './state-deltas.ts';

/**
 * The earlier values of everything that decides access. They cover roles, full membership, channel access, groups and
 * active accounts. Each value has the event that changed it, as far back as the log reaches. With them, a queue that is
 * read late returns what its user could access at each event.
 * The reader's own account needs no dated state. A closed account reads nothing, and its queues no longer exist when it
 * is reopened.
 */
export class AccessHistory {
  readonly #roles = new PastValues<number>();
  /** Earlier values of `fullMembersJoinedThrough`. The organization is key 0. */
  readonly #joinedThrough = new PastValues<number>();
  readonly #channels = new PastValues<ChannelAccess>();
  readonly #deactivated = new PastValues<boolean>();
  readonly #members = new PastPairs();
  readonly #subgroups = new PastPairs();
  readonly #active = new PastValues<boolean>();
  readonly #queueResets = new Map<number, number>();
  #changedAt = 0;

  /** The last event that changed any of this. From that event on, the current state applies. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /**
   * Records what the state delta of the event changed. The delta carries the previous value in `was`. Deltas arrive in
   * order.
   */
  note(delta: StateDelta, eventId: number): void {
    switch (delta.delta) {
      case 'organization':
        if (delta.was === undefined) return;
        this.#joinedThrough.note(0, eventId, delta.was.fullMembersJoinedThrough ?? Infinity);
        break;
      case 'user':
        if (delta.was === undefined) return;
        if (delta.was.isActive !== undefined && delta.was.isActive !== delta.user.isActive) {
          this.#active.note(delta.user.id, eventId, delta.was.isActive);
        }
        if (delta.was.role === delta.user.role) return;
        this.#roles.note(delta.user.id, eventId, delta.was.role);
        break;
      case 'channel':
        if (delta.was === undefined || isSameAccess(delta.was, delta.channel)) return;
        this.#channels.note(delta.channel.id, eventId, channelAccess(delta.was));
        break;
      case 'group':
        if (delta.was === undefined || delta.was.isDeactivated === delta.group.isDeactivated) return;
        this.#deactivated.note(delta.group.id, eventId, delta.was.isDeactivated);
        break;
      case 'group-members':
        this.#members.note(delta.groupId, delta.added, eventId, false);
        this.#members.note(delta.groupId, delta.removed, eventId, true);
        break;
      case 'group-subgroups':
        this.#subgroups.note(delta.groupId, delta.added, eventId, false);
        this.#subgroups.note(delta.groupId, delta.removed, eventId, true);
        break;
      case 'queues_reset':
        for (const userId of delta.userIds) this.#queueResets.set(userId, eventId);
        return;
      default:
        return;
    }
    this.#changedAt = eventId;
  }

  /** The user with the role as of just after the event. */
  userAfter(user: Member, eventId: number): Member {
    const role = this.#roles.after(user.id, eventId);
    return role === undefined ? user : { id: user.id, role, joinedAt: user.joinedAt };
  }

  /** Whether the account was active just after the event. */
  wasActiveAfter({ id, isActive }: Pick<UserRecord, 'id' | 'isActive'>, eventId: number): boolean {
    return this.#active.after(id, eventId) ?? isActive;
  }

  /** The last event that reset the user's queues; 0 if there is none. Queues registered before it no longer exist. */
  queuesResetAt(userId: number): number {
    return this.#queueResets.get(userId) ?? 0;
  }

  /** The channel's access settings as of just after the event. */
  channelAfter(channel: ChannelAccess & { readonly id: number }, eventId: number): ChannelAccess {
    return this.#channels.after(channel.id, eventId) ?? channel;
  }

  /** The groups as of just after the event. */
  groupsAfter(groups: Groups, eventId: number): Memberships {
    if (eventId >= this.#changedAt) return groups;
    return new AmendedGroups(groups, {
      isDeactivated: (groupId) => this.#deactivated.after(groupId, eventId),
      isMember: (groupId, userId) => this.#members.after(groupId, userId, eventId),
      withOtherMembers: () => this.#members.firsts(),
      subgroups: (groupId) => this.#subgroups.allAfter(groupId, eventId),
      fullMembersJoinedThrough: this.#joinedThrough.after(0, eventId),
    });
  }

  /** Discards the state before an event that no reader can ask about any more. */
  forgetThrough(eventId: number): void {
    for (const past of [
      this.#roles,
      this.#joinedThrough,
      this.#channels,
      this.#deactivated,
      this.#members,
      this.#subgroups,
      this.#active,
    ]) {
      past.forgetThrough(eventId);
    }
    // A reader that continues from here has already received the reset.
    for (const [userId, since] of this.#queueResets) if (since <= eventId) this.#queueResets.delete(userId);
  }
}
