const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

/** Up to here looking through a list is as fast as looking into a set. */
const SHORT = 16;

/** Whether the list holds the number. Of a long list a set is remembered for as long as the list lives, so it must never change. */
export function contains(list: readonly number[], value: number): boolean {
  if (list.length <= SHORT) return list.includes(value);
  let set = sets.get(list);
  if (set === undefined) {
    set = new Set(list);
    sets.set(list, set);
  }
  return set.has(value);
}
