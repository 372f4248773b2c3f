/** A row of a list. Its key stays with it. */
interface Keyed {
  readonly key: string | number;
}

/**
 * Returns `rows` with the objects of `before` for rows that have not changed, and `before` itself if nothing has. So a list renders only
 * what is new.
 */
export function withKnownRows<Row extends Keyed>(before: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  const merged = rows.map((row) => {
    const same = known.get(row.key);
    return same !== undefined && isEqual(same, row) ? same : row;
  });
  const isUnchanged = merged.length === before.length && merged.every((row, index) => row === before[index]);
  return isUnchanged ? before : merged;
}

/** Compares values, arrays and plain objects. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => isEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
  );
}
