import type { Directory } from './directory.ts';

/**
 * Remembers what was computed with the directory for as long as that stays as it is. So a change can have before it takes the log what
 * takes long to compute, and find it there; where the directory has changed in between, it is computed anew.
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
