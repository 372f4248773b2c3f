import type { Subscribable } from '@heddle/client/model/changes.ts';
import { useMemo, useSyncExternalStore } from 'react';

/**
 * Renders the component again after each change of a subject. The component reads the model while it renders.
 * The subject of a key must come from `useKeyedChanges`, so that it is the same in each render.
 */
export function useChanges(subject: Subscribable): void {
  useSyncExternalStore(subject.subscribe, subject.read);
}

/** The same for one key of a keyed subject. */
export function useChangesOf<Key>(subject: { of(key: Key): Subscribable }, key: Key): void {
  useChanges(useKeyedChanges(subject, key));
}

/** The subject of one key, for `useDerived` and other components. It is the same object as long as the key is. */
export function useKeyedChanges<Key>(subject: { of(key: Key): Subscribable }, key: Key): Subscribable {
  return useMemo(() => subject.of(key), [subject, key]);
}
