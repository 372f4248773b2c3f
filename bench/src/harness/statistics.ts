/** Several runs of one measurement. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** The median of at least one value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('no values');
  return (lower + upper) / 2;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/**
 * Runs the two sides in turn, `times` each, so that other load on the machine affects both. The order alternates too.
 */
export async function alternate<A, B>(
  times: number,
  left: () => Promise<A>,
  right: () => Promise<B>,
): Promise<{ left: A[]; right: B[] }> {
  const results: { left: A[]; right: B[] } = { left: [], right: [] };
  for (let turn = 0; turn < times; turn++) {
    if (turn % 2 === 0) results.left.push(await left());
    results.right.push(await right());
    if (turn % 2 === 1) results.left.push(await left());
  }
  return results;
}
