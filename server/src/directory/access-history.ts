import { AmendedGroups } from './amended-groups.ts';
import type { Fact } from './facts.ts';
import type { GroupIndex } from './groups.ts';
import type { Member, Memberships } from './memberships.ts';
import { PastPairs, PastValues } from './past-values.ts';
import { type ChannelAccess, channelAccess, isSameAccess, type UserRecord } from './records.ts';

/**
 * What decided before who may know which channel and whom: roles, who was a full member, the channels' own access, the groups, and
 * which accounts were active, each with the event that changed it, for as long as the log reaches back. So that a queue that is read
 * late gets what was its user's at each event. (Whether the reader's own account is active does not matter: a closed one gets nothing,
 * and its queues are gone when it is opened again.)
 */
export class AccessHistory {
  readonly #roles = new PastValues<number>();
  /** When full members had joined, of the organization (key 0). */
  readonly #joinedThrough = new PastValues<number>();
  readonly #channels = new PastValues<ChannelAccess>();
  readonly #deactivated = new PastValues<boolean>();
  readonly #members = new PastPairs();
  readonly #subgroups = new PastPairs();
  readonly #active = new PastValues<boolean>();
  readonly #anew = new Map<number, number>();
  #changedAt = 0;

  /** The last event that changed any of it: at events from there on everything was as it is now. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** Notes what the event's fact, which carries what was before, has changed. Facts come in order. */
  note(fact: Fact, eventId: number): void {
    switch (fact.fact) {
      case 'organization':
        if (fact.was === undefined) return;
        this.#joinedThrough.note(0, eventId, fact.was.fullMembersJoinedThrough ?? Infinity);
        break;
      case 'user':
        if (fact.was === undefined) return;
        if (fact.was.isActive !== undefined && fact.was.isActive !== fact.user.isActive) {
          this.#active.note(fact.user.id, eventId, fact.was.isActive);
        }
        if (fact.was.role === fact.user.role) return;
        this.#roles.note(fact.user.id, eventId, fact.was.role);
        break;
      case 'channel':
        if (fact.was === undefined || isSameAccess(fact.was, fact.channel)) return;
        this.#channels.note(fact.channel.id, eventId, channelAccess(fact.was));
        break;
      case 'group':
        if (fact.was === undefined || fact.was.isDeactivated === fact.group.isDeactivated) return;
        this.#deactivated.note(fact.group.id, eventId, fact.was.isDeactivated);
        break;
      case 'group-members':
        this.#members.note(fact.groupId, fact.added, eventId, false);
        this.#members.note(fact.groupId, fact.removed, eventId, true);
        break;
      case 'group-subgroups':
        this.#subgroups.note(fact.groupId, fact.added, eventId, false);
        this.#subgroups.note(fact.groupId, fact.removed, eventId, true);
        break;
      case 'anew':
        for (const userId of fact.userIds) this.#anew.set(userId, eventId);
        return;
      default:
        return;
    }
    this.#changedAt = eventId;
  }

  /** The user with the role that the event left them. */
  userAfter(user: Member, eventId: number): Member {
    const role = this.#roles.after(user.id, eventId);
    return role === undefined ? user : { id: user.id, role, joinedAt: user.joinedAt };
  }

  /** Whether the account was active as the event left it. */
  wasActiveAfter({ id, isActive }: Pick<UserRecord, 'id' | 'isActive'>, eventId: number): boolean {
    return this.#active.after(id, eventId) ?? isActive;
  }

  /** The last event by which the user's clients had to begin anew; 0: none. Queues that began before it are no more. */
  anewSince(userId: number): number {
    return this.#anew.get(userId) ?? 0;
  }

  /** The channel's access as the event left it. */
  channelAfter(channel: ChannelAccess & { readonly id: number }, eventId: number): ChannelAccess {
    return this.#channels.after(channel.id, eventId) ?? channel;
  }

  /** The groups as the event left them. */
  groupsAfter(groups: GroupIndex, eventId: number): Memberships {
    if (eventId >= this.#changedAt) return groups;
    return new AmendedGroups(groups, {
      isDeactivated: (groupId) => this.#deactivated.after(groupId, eventId),
      isMember: (groupId, userId) => this.#members.after(groupId, userId, eventId),
      withOtherMembers: () => this.#members.firsts(),
      subgroups: (groupId) => this.#subgroups.allAfter(groupId, eventId),
      fullMembersJoinedThrough: this.#joinedThrough.after(0, eventId),
    });
  }

  /** Forgets what was before an event that nobody can ask for any more. */
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
    // Whoever reads on from here was told.
    for (const [userId, since] of this.#anew) if (since <= eventId) this.#anew.delete(userId);
  }
}
