import type { Directory } from './directory.ts';

/**
 * Caches computed values until the directory changes. With it, a change can compute expensive values before it acquires
 * the organization lock, and reuse them afterwards. If the directory changed in between, they are computed again.
 */
export function whileUnchanged<Value>(directory: Directory, compute: (key: string) => Value): (key: string) => Value {
  let asOf = directory.changedAt;
  let known = new Map<string, { readonly value: Value }>();
  return (key) => {
    if (asOf !== directory.changedAt) {
      asOf = directory.changedAt;
      known = new Map();
    }
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}
