import type { Subscribable } from '@heddle/client/model/changes.ts';
import { useCallback, useSyncExternalStore } from 'react';

/**
 * Renders the component again after each change of a subject. The component reads the model while it renders.
 * The subject of a key must be memoized, or come from `useChangesOf`.
 */
export function useChanges(subject: Subscribable): void {
  useSyncExternalStore(subject.subscribe, subject.read);
}

/** The same for one key of a keyed subject. */
export function useChangesOf<Key>(subject: { of(key: Key): Subscribable }, key: Key): void {
  const subscribe = useCallback((listener: () => void) => subject.of(key).subscribe(listener), [subject, key]);
  const read = useCallback(() => subject.of(key).read(), [subject, key]);
  useSyncExternalStore(subscribe, read);
}
