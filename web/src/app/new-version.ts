/**
 * A new version of the app takes over quietly. Its worker waits until no page is in use. Then it becomes the active one, and each page of the
 * version before loads itself once again, at the same place. Until then the page keeps the files of its own version.
 */
import { keepTyped } from '../base/account-storage.ts';
import type { App } from '../base/app.tsx';
import type { Navigation } from '../base/navigation.ts';
import { onUserEvents } from '../base/user-events.ts';

/** How often a page looks whether it is free for a new version, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

/** A page in front is free when the user has done nothing for this time, in milliseconds. */
const QUIET_MS = 60_000;

/** While another page is in use, a free one asks for it again after this time, in milliseconds. */
const ASK_AGAIN_MS = 60_000;

/** What is open in front of a view. A reload would close it. */
const IN_FRONT = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/**
 * Lets the worker of a new version take over when this page and the others are free, and then loads the page again. Returns a function that ends
 * this.
 * @param waitingWorker the worker of a new version
 */
export function followVersions(
  workers: ServiceWorkerContainer,
  waitingWorker: () => ServiceWorker | undefined,
  { navigation, session }: Pick<App, 'navigation' | 'session'>,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let isOutdated = false;
  let wasFree = false;
  let lastAct = Date.now();
  let lastAsked = 0;
  /** Fields in which somebody has typed. Forms of settings have texts without that. */
  const typedIn = new WeakSet<EventTarget>();

  const isFree = () => {
    // Without a network, the page goes on with what it has.
    if (session.status.state !== 'live' || isInUse(typedIn)) return false;
    return document.hidden || Date.now() - lastAct >= QUIET_MS;
  };
  const look = () => {
    const waiting = waitingWorker();
    const isFreeNow = (isOutdated || waiting !== undefined) && isFree();
    if (isFreeNow && isOutdated) {
      end();
      loadAgain(navigation);
      return;
    }
    // The last page that becomes free asks at once.
    if (isFreeNow && (!wasFree || Date.now() - lastAsked >= ASK_AGAIN_MS)) {
      lastAsked = Date.now();
      waiting?.postMessage({ kind: 'take-over' });
    }
    wasFree = isFreeNow;
  };

  workers.addEventListener(
    'message',
    ({ data, ports }) => {
      if (data?.kind === 'may-take-over') {
        const agrees = isOfVersion(data.files) || isFree();
        // Who minds asks when that is over.
        if (!agrees) wasFree = false;
        ports[0]?.postMessage(agrees);
      }
      if (data?.kind !== 'took-over') return;
      isOutdated = !isOfVersion(data.files);
      look();
    },
    { signal },
  );
  workers.startMessages();
  const act = () => {
    lastAct = Date.now();
  };
  // Who comes back to a page begins to read it.
  document.addEventListener('visibilitychange', () => (document.hidden ? look() : act()), { signal });
  document.addEventListener('input', ({ target }) => target && typedIn.add(target), { signal, capture: true });
  const endEvents = onUserEvents(act);
  const timer = setInterval(look, LOOK_EVERY_MS);
  const end = () => {
    ending.abort();
    endEvents();
    clearInterval(timer);
  };
  return end;
}

/** Whether the scripts that the page names are files of the version. Their names change with what they load. */
function isOfVersion(files: readonly string[]): boolean {
  return [...document.querySelectorAll<HTMLScriptElement>('script[src]')].every(({ src }) =>
    files.includes(new URL(src).pathname),
  );
}

/** Whether a visible field has a text that somebody types, something is open in front of the view, or something plays. */
function isInUse(typedIn: WeakSet<EventTarget>): boolean {
  if (document.querySelector(IN_FRONT) !== null) return true;
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
  const isTyped = (field: HTMLInputElement | HTMLTextAreaElement) =>
    field.localName === 'textarea' || typedIn.has(field);
  if (fields.some((field) => isTyped(field) && field.value !== '' && field.checkVisibility())) return true;
  return [...document.querySelectorAll<HTMLMediaElement>('audio, video')].some(
    ({ paused, muted }) => !paused && !muted,
  );
}

function loadAgain(navigation: Navigation): void {
  keepTyped();
  try {
    navigation.keepForReload();
  } catch {
    // A view keeps what the history cannot. Then the page begins where a visit begins.
  }
  window.location.reload();
}
