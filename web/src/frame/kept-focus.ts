/**
 * The focus never falls on the document. Screen readers would begin at its top again. If the element with the focus is removed, hidden or
 * disabled, the app may give the focus to another one. Otherwise the view gets it.
 */

/** Components, and React Aria after it closes a dialog, move the focus within so many frames. */
const WAIT_FRAMES = 4;

/** Begins it. Call it once. Returns a function that ends it. */
export function keepFocus(): () => void {
  let hadFocus = false;
  let isWaiting = false;
  const look = () => {
    if (isWaiting || !hadFocus || document.activeElement !== document.body) return;
    isWaiting = true;
    afterFrames(WAIT_FRAMES, () => {
      isWaiting = false;
      if (document.activeElement === document.body) focusView();
    });
  };
  const onFocus = () => {
    hadFocus = true;
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['hidden', 'inert', 'disabled', 'class', 'style'],
  });
  document.addEventListener('focusin', onFocus);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
  };
}

/** Gives the focus to the view. Screen readers then say its name. */
export function focusView(): void {
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}

export function afterFrames(frames: number, act: () => void): void {
  if (frames === 0) act();
  else requestAnimationFrame(() => afterFrames(frames - 1, act));
}
