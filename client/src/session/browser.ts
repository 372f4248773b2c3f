/** Connects a session with the page that it runs in. */
import type { Session } from './session.ts';

/** How often the page looks for a sleep of the computer, in milliseconds. */
const LOOK_EVERY_MS = 5_000;
/** A timer that comes later than this means that the computer slept, in milliseconds. Browsers delay the timers of hidden pages. */
const SLEEP_MS = 20_000;

/**
 * Lets the session know when the network returns, the computer wakes up, or the page is shown, hidden, frozen or closed. Returns a
 * function that ends this. Call it in a browser only.
 */
export function attachToPage(session: Session): () => void {
  const detach = new AbortController();
  const { signal } = detach;
  const on = (target: EventTarget, type: string, act: (event: Event) => void): void =>
    target.addEventListener(type, act, { signal });

  session.setOnline(navigator.onLine);
  on(window, 'online', () => session.setOnline(true));
  on(window, 'offline', () => session.setOnline(false));
  on(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') session.check();
    else void session.flush();
  });
  // A page that the browser keeps for the back button may return much later, or never.
  on(window, 'pagehide', (event) => {
    if ((event as PageTransitionEvent).persisted) session.suspend();
    else void session.flush({ isClosing: true });
  });
  on(window, 'pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) session.resume();
  });
  on(document, 'freeze', () => session.suspend());
  on(document, 'resume', () => session.resume());

  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > SLEEP_MS && document.visibilityState === 'visible') session.check();
    last = now;
  }, LOOK_EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  return () => detach.abort();
}
