const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

/** Up to this length, searching a list is as fast as a set lookup. */
const MAX_SEARCHED_ELEMENTS = 16;

/** Whether the list contains the number. For a long list, a set is cached with it, so the list must never change. */
export function contains(list: readonly number[], value: number): boolean {
  if (list.length <= MAX_SEARCHED_ELEMENTS) return list.includes(value);
  let set = sets.get(list);
  if (set === undefined) {
    set = new Set(list);
    sets.set(list, set);
  }
  return set.has(value);
}
