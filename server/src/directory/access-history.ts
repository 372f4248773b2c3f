import { AmendedGroups } from './amended-groups.ts';
import type { Fact } from './facts.ts';
import type { GroupIndex } from './groups.ts';
import type { Member, Memberships } from './memberships.ts';
import { PastPairs, PastValues } from './past-values.ts';
import { type ChannelAccess, channelAccess, isSameAccess } from './records.ts';

/**
 * What decided before who may know which channel: roles, who was a full member, the channels' own access, and the groups, each with the event that changed it,
 * for as long as the log reaches back. So that a queue that is read late gets what was its user's at each event. (Whether an account
 * is active is not dated: a closed one gets nothing, and its queues are gone when it is opened again.)
 */
export class AccessHistory {
  readonly #roles = new PastValues<number>();
  /** When full members had joined, of the organization (key 0). */
  readonly #joinedThrough = new PastValues<number>();
  readonly #channels = new PastValues<ChannelAccess>();
  readonly #deactivated = new PastValues<boolean>();
  readonly #members = new PastPairs();
  readonly #subgroups = new PastPairs();
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
        if (fact.was === undefined || fact.was.role === fact.user.role) return;
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
    ]) {
      past.forgetThrough(eventId);
    }
  }
}
