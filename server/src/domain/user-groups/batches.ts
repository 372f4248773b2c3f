import type { MembershipChange } from './membership.ts';

/**
 * The most memberships that change in one commit. It holds the organization lock for about 6 ms, or twice that on a
 * busy machine.
 */
export const MAX_USERS_PER_EVENT = 500;

/**
 * Cuts a request into batches. A small request is one batch. A larger one changes subgroups first, then removes
 * members, then adds members.
 */
export function batchesOf({ members, subgroups }: MembershipChange): readonly MembershipChange[] {
  const add = [...new Set(members?.add)];
  const remove = [...new Set(members?.remove)];
  if (add.length + remove.length <= MAX_USERS_PER_EVENT) return [{ members: { add, remove }, subgroups }];
  const hasSubgroups = [subgroups?.add, subgroups?.remove].some((ids) => ids !== undefined && ids.length > 0);
  return [
    ...(hasSubgroups ? [{ subgroups }] : []),
    ...chunksOf(remove).map((ids) => ({ members: { remove: ids } })),
    ...chunksOf(add).map((ids) => ({ members: { add: ids } })),
  ];
}

export function chunksOf(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(ids.length / MAX_USERS_PER_EVENT);
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * MAX_USERS_PER_EVENT, (index + 1) * MAX_USERS_PER_EVENT),
  );
}
