/** What the user does with the page. From then on, they decide where it is scrolled and what has the focus. */
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Calls `act` whenever the user does something, before the page reacts to it. Returns a function that ends this. */
export function onUserEvents(act: () => void): () => void {
  for (const type of USER_EVENTS) window.addEventListener(type, act, { capture: true, passive: true });
  return () => {
    for (const type of USER_EVENTS) window.removeEventListener(type, act, true);
  };
}

/** Elements that have the focus when nothing else has it. */
const FREE = 'body, main, nav, aside';

/** Whether nothing has the focus that would lose it. */
export function isFocusFree(): boolean {
  return document.activeElement?.matches(FREE) ?? true;
}
