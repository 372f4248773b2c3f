/**
 * All members of a group, direct and through subgroups: the listed users, and every user with this rank or a
 * stronger one.
 */
export interface Closure {
  /** The group and everything inside it, without deactivated groups. */
  readonly groups: ReadonlySet<number>;
  readonly weakestRank: number;
  /** The group's own member set if no subgroup adds other users, else `copy`. */
  readonly users: ReadonlySet<number>;
  /** `users` if this closure owns the set, else null. */
  readonly copy: Set<number> | null;
}

/** Bounds the groups and users in all cached closures, about 80 MB. A chain of a thousand groups has half a million. */
const MAX_CACHED_MEMBERS = 1_000_000;

/**
 * Caches group closures. Evicts the oldest when the cache is full, because nested groups can each contain all others.
 */
export class Closures {
  readonly #byGroup = new Map<number, Closure>();
  readonly #maxKept: number;
  #size = 0;

  constructor(maxKept = MAX_CACHED_MEMBERS) {
    this.#maxKept = maxKept;
  }

  /** The number of groups and users in all cached closures. */
  get size(): number {
    return this.#size;
  }

  get(groupId: number): Closure | undefined {
    return this.#byGroup.get(groupId);
  }

  keep(groupId: number, closure: Closure): void {
    this.forget(groupId);
    this.#byGroup.set(groupId, closure);
    this.#size += sizeOf(closure);
    this.#trim();
  }

  forget(groupId: number): void {
    const closure = this.#byGroup.get(groupId);
    if (closure === undefined) return;
    this.#byGroup.delete(groupId);
    this.#size -= sizeOf(closure);
  }

  /** Changes the set of users that this closure owns. Does nothing if it owns none. */
  amend(groupId: number, change: (users: Set<number>, groups: ReadonlySet<number>) => void): void {
    const closure = this.#byGroup.get(groupId);
    if (closure === undefined || closure.copy === null) return;
    const before = closure.copy.size;
    change(closure.copy, closure.groups);
    this.#size += closure.copy.size - before;
    this.#trim();
  }

  #trim(): void {
    for (const groupId of this.#byGroup.keys()) {
      if (this.#size <= this.#maxKept) return;
      this.forget(groupId);
    }
  }
}

function sizeOf({ groups, copy }: Closure): number {
  return groups.size + (copy?.size ?? 0);
}
