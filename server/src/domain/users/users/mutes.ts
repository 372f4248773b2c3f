import type { DirectoryPart } from '../../../directory/part.ts';

/** Which users have muted which others. */
export class Mutes {
  /** Keys are the muted users. */
  readonly #muters = new Map<number, Set<number>>();

  put(userId: number, mutedUserId: number, isMuted: boolean): void {
    const muters = this.#muters.get(mutedUserId) ?? new Set();
    if (isMuted) muters.add(userId);
    else muters.delete(userId);
    if (muters.size === 0) this.#muters.delete(mutedUserId);
    else this.#muters.set(mutedUserId, muters);
  }

  /** The users who have muted this one. */
  mutersOf(mutedUserId: number): ReadonlySet<number> {
    return this.#muters.get(mutedUserId) ?? NOBODY;
  }

  has(userId: number, mutedUserId: number): boolean {
    return this.mutersOf(mutedUserId).has(userId);
  }

  /** Keys are the muted users. */
  get all(): ReadonlyMap<number, ReadonlySet<number>> {
    return this.#muters;
  }
}

const NOBODY: ReadonlySet<number> = new Set();

interface MuteDelta {
  readonly delta: 'muted-user';
  readonly userId: number;
  readonly mutedUserId: number;
  readonly isMuted: boolean;
}

export const muteDelta = (userId: number, mutedUserId: number, isMuted: boolean): MuteDelta => ({
  delta: 'muted-user',
  userId,
  mutedUserId,
  isMuted,
});

/** Who has muted whom, in the directory. */
export const mutesPart: DirectoryPart<Mutes, MuteDelta> = {
  aspect: 'settings',
  deltas: ['muted-user'],
  create: () => new Mutes(),
  async load(index, snapshot, organizationId) {
    const rows = await snapshot
      .selectFrom('muted_users')
      .select(['user_id', 'muted_user_id'])
      .where('organization_id', '=', organizationId)
      .execute();
    for (const row of rows) index.put(row.user_id, row.muted_user_id, true);
  },
  apply: (index, { userId, mutedUserId, isMuted }) => index.put(userId, mutedUserId, isMuted),
  contents: (index) => [...index.all].toSorted(([a], [b]) => a - b).map(([id, muters]) => [id, [...muters].sort()]),
};
