/** The keyboard in React. */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { bindShortcut, keyboardChanges, listenToKeyboard, type Shortcut, shortcuts } from './keyboard.ts';

interface Options {
  /** Whether the action is possible now. The command palette leaves out impossible ones. */
  readonly when?: boolean | (() => boolean);
}

/** Runs `run` on the keys of `shortcut` while this component is mounted. If it returns false, the next handler gets the keys. */
export function useShortcut(
  shortcut: Shortcut,
  run: (event: KeyboardEvent) => unknown,
  { when = true }: Options = {},
): void {
  // A reference, so that a new function of each render does not bind again and change the order of the handlers.
  const latest = useRef({ run, when });
  useLayoutEffect(() => {
    latest.current = { run, when };
  });
  useEffect(
    () =>
      bindShortcut(
        shortcut,
        (event) => latest.current.run(event),
        () => {
          const { when } = latest.current;
          return typeof when === 'function' ? when() : when;
        },
      ),
    [shortcut],
  );
}

/** Starts the keyboard of the app. It has no view. */
export function Keyboard(): ReactNode {
  useEffect(() => listenToKeyboard(window), []);
  return null;
}

/** All shortcuts, also those that a later chunk defines. */
export function useShortcuts(): readonly Shortcut[] {
  useSyncExternalStore(keyboardChanges.subscribe, keyboardChanges.read);
  return shortcuts();
}
