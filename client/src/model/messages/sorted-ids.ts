/** The index of the first of the ascending ids that is not smaller than `id`. It is the length if all are smaller. */
export function indexIn(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
