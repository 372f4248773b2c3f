/**
 * Where the focus goes when a dialog closes. React Aria returns it to the element that had it before. An item of a menu is gone by then, and
 * no element would have the focus.
 */
import { useEffect, useState } from 'react';

/** The element outside of menus that had the focus last. */
let lastFocused: HTMLElement | undefined;

/** Notes from now on what has the focus. Call it once. */
export function followFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !isInMenu(target)) lastFocused = target;
  });
}

function isInMenu(element: Element | null): boolean {
  return element !== null && element.closest('[role="menu"]') !== null;
}

/** Returns the focus after the component has gone, unless another element has it by then. Render it inside of the dialog. */
export function useFocusReturn(): void {
  // While it renders: a field of the dialog can take the focus as soon as it exists.
  const [before] = useState(() => (isInMenu(document.activeElement) || !hasFocus() ? lastFocused : undefined));
  useEffect(
    () => () =>
      afterFrames(WAIT_FRAMES, () => {
        if (hasFocus()) return;
        if (before?.isConnected) before.focus({ preventScroll: true });
        // That element is gone, too: for example a deleted message.
        if (!hasFocus()) document.querySelector('main')?.focus({ preventScroll: true });
      }),
    [before],
  );
}

/** React Aria, and actions of dialogs, move the focus in the next frame. */
const WAIT_FRAMES = 3;

function afterFrames(frames: number, act: () => void): void {
  if (frames === 0) act();
  else requestAnimationFrame(() => afterFrames(frames - 1, act));
}

function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}
