import type { Groups } from './groups.ts';
import { type Member, type Memberships, NO_MEMBERS_RANK, rankOf, weakestRankOf } from './memberships.ts';

/** How groups differ from their current state. Undefined means no difference. */
export interface GroupDifferences {
  isDeactivated(groupId: number): boolean | undefined;
  isMember(groupId: number, userId: number): boolean | undefined;
  /** All groups whose members can differ. */
  withOtherMembers(): Iterable<number>;
  /** Groups that are direct subgroups in one of the two states but not in the other. */
  subgroups(groupId: number): Iterable<readonly [subgroupId: number, isSubgroup: boolean]>;
  /** Members who joined later are not full members in that state; seconds since the epoch. */
  readonly fullMembersJoinedThrough?: number | undefined;
}

/** The contents of a group, including its subgroups. */
interface Contents {
  /** The group and everything inside it, without deactivated groups. */
  readonly groups: ReadonlySet<number>;
  readonly weakestRank: number;
  /** Those of `groups` whose members can differ. */
  readonly withOtherMembers: readonly number[];
}

/**
 * The groups as they were at an event, or as a change will leave them. The first question about a group walks its
 * subgroups. Later questions about other users are cheap.
 */
export class AmendedGroups implements Memberships {
  readonly #groups: Groups;
  readonly #differences: GroupDifferences;
  readonly #contents = new Map<number, Contents>();

  constructor(groups: Groups, differences: GroupDifferences) {
    this.#groups = groups;
    this.#differences = differences;
  }

  includes(groupId: number, user: Member): boolean {
    const { fullMembersJoinedThrough = this.#groups.fullMembersJoinedThrough } = this.#differences;
    const { groups, weakestRank, withOtherMembers } = this.#contentsOf(groupId);
    if (rankOf(user, fullMembersJoinedThrough) <= weakestRank) return true;
    const isMember = (id: number) => this.#differences.isMember(id, user.id);
    return (
      this.#groups.directGroupsOf(user.id).some((id) => groups.has(id) && isMember(id) !== false) ||
      withOtherMembers.some((id) => isMember(id) === true)
    );
  }

  #contentsOf(groupId: number): Contents {
    let contents = this.#contents.get(groupId);
    if (contents === undefined) {
      const groups = new Set(this.#groupsIn(groupId));
      contents = {
        groups,
        weakestRank: [...groups].reduce((weakest, id) => Math.max(weakest, this.#weakestRank(id)), NO_MEMBERS_RANK),
        withOtherMembers: [...this.#differences.withOtherMembers()].filter((id) => groups.has(id)),
      };
      this.#contents.set(groupId, contents);
    }
    return contents;
  }

  #weakestRank(groupId: number): number {
    const group = this.#groups.all.get(groupId);
    return group === undefined ? NO_MEMBERS_RANK : weakestRankOf(group);
  }

  /** The group and everything inside it, without deactivated groups. Yields each group once, even in a cycle. */
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
