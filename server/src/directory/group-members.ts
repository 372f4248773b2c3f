/**
 * All members of a group, direct and through subgroups: the listed users, and every user with this rank or a
 * stronger one.
 */
export interface AllMembers {
  /** The group and everything inside it, without deactivated groups. */
  readonly groups: ReadonlySet<number>;
  readonly weakestRank: number;
  /** The group's own member set if no subgroup adds other users, else `copy`. */
  readonly users: ReadonlySet<number>;
  /** `users` if this object owns the set, else null. */
  readonly copy: Set<number> | null;
}

/** Bounds the groups and users in the cache, about 80 MB. More can only be imported (`domain/user-groups/nesting.ts`). */
const MAX_CACHED_MEMBERS = 1_000_000;

/**
 * Caches all members of groups. Evicts the oldest when the cache is full, because nested groups can each contain all others.
 */
export class AllMembersCache {
  readonly #byGroup = new Map<number, AllMembers>();
  readonly #maxKept: number;
  #size = 0;

  constructor(maxKept = MAX_CACHED_MEMBERS) {
    this.#maxKept = maxKept;
  }

  /** The number of groups and users in the cache. */
  get size(): number {
    return this.#size;
  }

  get(groupId: number): AllMembers | undefined {
    return this.#byGroup.get(groupId);
  }

  keep(groupId: number, members: AllMembers): void {
    this.forget(groupId);
    this.#byGroup.set(groupId, members);
    this.#size += sizeOf(members);
    this.#trim();
  }

  forget(groupId: number): void {
    const members = this.#byGroup.get(groupId);
    if (members === undefined) return;
    this.#byGroup.delete(groupId);
    this.#size -= sizeOf(members);
  }

  /** Changes the set of users that this object owns. Does nothing if it owns none. */
  amend(groupId: number, change: (users: Set<number>, groups: ReadonlySet<number>) => void): void {
    const members = this.#byGroup.get(groupId);
    if (members === undefined || members.copy === null) return;
    const before = members.copy.size;
    change(members.copy, members.groups);
    this.#size += members.copy.size - before;
    this.#trim();
  }

  #trim(): void {
    for (const groupId of this.#byGroup.keys()) {
      if (this.#size <= this.#maxKept) return;
      this.forget(groupId);
    }
  }
}

function sizeOf({ groups, copy }: AllMembers): number {
  return groups.size + (copy?.size ?? 0);
}
