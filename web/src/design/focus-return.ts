/**
 * Where the focus goes when a dialog closes. React Aria returns it to the element that had it before. If that was an item of a menu, the item
 * is gone with its menu, and the focus would be nowhere.
 */
import { useEffect } from 'react';

const MENU = '[role="menu"]';

/** The element outside of menus that had the focus last. */
let lastFocused: HTMLElement | undefined;

/** Notes from now on what has the focus. Call it once. */
export function followFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest(MENU) === null) lastFocused = target;
  });
}

/** Returns the focus when the component goes, unless something else has it by then. Its parent must appear and go with it. */
export function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement?.closest(MENU) ? lastFocused : undefined;
    return () =>
      afterFrames(FRAMES, () => {
        if (hasFocus()) return;
        if (before?.isConnected) before.focus({ preventScroll: true });
        // What had it is gone, too: for example a message that was deleted.
        if (!hasFocus()) document.querySelector('main')?.focus({ preventScroll: true });
      });
  }, []);
}

/** React Aria, and actions of dialogs, move the focus in the next frame. */
const FRAMES = 3;

function afterFrames(frames: number, act: () => void): void {
  if (frames === 0) act();
  else requestAnimationFrame(() => afterFrames(frames - 1, act));
}

function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}
