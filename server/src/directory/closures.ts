/** Whom a group holds, directly and through its subgroups: whoever has this standing or a stronger one, and those listed. */
export interface Closure {
  /** The group and all in it that are not deactivated. */
  readonly groups: ReadonlySet<number>;
  readonly weakestStanding: number;
  /** The group's own members themselves where nothing in it has others. */
  readonly users: ReadonlySet<number>;
  /** `users` where they are a set of the closure's own. */
  readonly copy: Set<number> | null;
}

/** Groups and users in all that is kept: some 80 MB. A chain of a thousand groups holds half a million. */
const MOST_KEPT = 1_000_000;

/** What was worked out of groups. Of very much, what was worked out first is forgotten: groups can be nested so that each holds all others. */
export class Closures {
  readonly #byGroup = new Map<number, Closure>();
  readonly #mostKept: number;
  #size = 0;

  constructor(mostKept = MOST_KEPT) {
    this.#mostKept = mostKept;
  }

  /** Groups and users in all that is kept. */
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

  /** Changes the set of users that is this closure's own; nothing where there is none. */
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
      if (this.#size <= this.#mostKept) return;
      this.forget(groupId);
    }
  }
}

function sizeOf({ groups, copy }: Closure): number {
  return groups.size + (copy?.size ?? 0);
}
