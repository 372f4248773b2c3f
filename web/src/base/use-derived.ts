import type { Subscribable } from '@heddle/client/model/changes.ts';
import { merged } from '@heddle/client/model/merged.ts';
import { type DependencyList, useRef } from 'react';
import { useChanges } from './use-changes.ts';

/** What the last computation used, and its result. */
interface Derived<Value> {
  readonly changes: Subscribable;
  readonly version: number;
  readonly inputs: DependencyList;
  readonly value: Value;
}

/**
 * A value that is computed from the model. The component renders again after each change of a subject. The hook computes again only after
 * such a change, or with another input. Otherwise the value is the same object.
 *
 * ```ts
 * const bots = useDerived([model.users.changes], () => botsOf(model, text), [model, text]);
 * ```
 *
 * The records of the model change in place, so `useMemo` cannot see their changes.
 *
 * @param subjects what `compute` reads from the model. The subject of a key comes from `useKeyedChanges`
 * @param inputs the other values that `compute` uses. Biome checks this list, as it does for `useMemo`
 */
export function useDerived<Value>(
  subjects: readonly Subscribable[],
  compute: () => Value,
  inputs: DependencyList,
): Value {
  const changes = useMerged(subjects);
  useChanges(changes);
  const version = changes.read();
  const last = useRef<Derived<Value>>(undefined);
  const known = last.current;
  if (known?.changes === changes && known.version === version && areSame(known.inputs, inputs)) return known.value;
  const value = compute();
  last.current = { changes, version, inputs, value };
  return value;
}

/** Joins the subjects. The result is the same object as long as they are. So a render does not subscribe again. */
function useMerged(subjects: readonly Subscribable[]): Subscribable {
  const last = useRef<{ readonly subjects: readonly Subscribable[]; readonly changes: Subscribable }>(undefined);
  if (last.current === undefined || !areSame(last.current.subjects, subjects)) {
    last.current = { subjects, changes: merged(...subjects) };
  }
  return last.current.changes;
}

function areSame(before: DependencyList, now: DependencyList): boolean {
  return before.length === now.length && before.every((value, index) => Object.is(value, now[index]));
}
