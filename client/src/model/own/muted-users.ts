import type { EventOfType, InitialState, MutedUser } from '../../calls/types.ts';
import { Subject } from '../changes.ts';

/** The users whom this account has muted. */
export class MutedUsers {
  readonly changes = new Subject();
  /** The time of muting by user id, in seconds since the epoch. */
  #mutedAt: ReadonlyMap<number, number>;

  constructor(state: InitialState) {
    this.#mutedAt = timesOf(state.muted_users ?? []);
  }

  get all(): ReadonlyMap<number, number> {
    return this.#mutedAt;
  }

  has(userId: number): boolean {
    return this.#mutedAt.has(userId);
  }

  apply({ muted_users }: EventOfType<'muted_users'>): void {
    this.#mutedAt = timesOf(muted_users);
    this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    return [...this.#mutedAt].sort(([a], [b]) => a - b);
  }
}

function timesOf(muted: readonly MutedUser[]): Map<number, number> {
  return new Map(muted.map(({ id, timestamp }) => [id, timestamp]));
}
