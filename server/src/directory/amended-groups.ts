import type { GroupIndex } from './groups.ts';
import { type Member, type Memberships, standingOf, weakestStandingOf } from './memberships.ts';

/** In what groups differ from how they are now; undefined wherever they do not. */
export interface GroupDifferences {
  isDeactivated(groupId: number): boolean | undefined;
  isMember(groupId: number, userId: number): boolean | undefined;
  /** Groups that are, or are not, direct subgroups there. */
  subgroups(groupId: number): Iterable<readonly [subgroupId: number, isSubgroup: boolean]>;
  /** Who joined later is no full member there; seconds since the epoch. */
  readonly fullMembersJoinedThrough?: number | undefined;
}

/**
 * The groups as they were at an event, or as a change will leave them. A question walks through the subgroups: for what is asked rarely.
 */
export class AmendedGroups implements Memberships {
  readonly #groups: GroupIndex;
  readonly #differences: GroupDifferences;

  constructor(groups: GroupIndex, differences: GroupDifferences) {
    this.#groups = groups;
    this.#differences = differences;
  }

  includes(groupId: number, user: Member): boolean {
    const { fullMembersJoinedThrough = this.#groups.fullMembersJoinedThrough } = this.#differences;
    const standing = standingOf(user, fullMembersJoinedThrough);
    for (const id of this.#groupsIn(groupId)) {
      const group = this.#groups.all.get(id);
      if (group !== undefined && standing <= weakestStandingOf(group)) return true;
      if (this.#differences.isMember(id, user.id) ?? this.#groups.membersOf(id).has(user.id)) return true;
    }
    return false;
  }

  /** The group and all in it that are not deactivated, each once, also where they hold each other. */
  *#groupsIn(groupId: number): Iterable<number> {
    const pending = new Set([groupId]);
    for (const id of pending) {
      const isDeactivated = this.#differences.isDeactivated(id) ?? this.#groups.all.get(id)?.isDeactivated ?? true;
      if (isDeactivated) continue;
      yield id;
      const different = new Map(this.#differences.subgroups(id));
      for (const subgroupId of this.#groups.subgroupsOf(id)) if (!different.has(subgroupId)) pending.add(subgroupId);
      for (const [subgroupId, isSubgroup] of different) if (isSubgroup) pending.add(subgroupId);
    }
  }
}
