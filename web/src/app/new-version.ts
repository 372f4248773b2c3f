/**
 * A new version of the app takes over quietly. Its worker waits until no page is in use. Then it becomes the active one, and each page of the
 * version before loads itself once again, at the same place. Until then the page keeps the files of its own version.
 */
import { isVersionNotice } from '../../worker/version-notice.ts';
import { keepTyped } from '../base/account-storage.ts';
import type { App } from '../base/app.tsx';
import { entryState, replaceEntry } from '../base/history-entries.ts';
import type { Navigation } from '../base/navigation.ts';
import { hasPageWork } from '../base/page-work.ts';
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
  // The user may load the page again, too. Then it begins where a visit begins.
  if (entryState().kept !== undefined) replaceEntry({ ...entryState(), kept: undefined });
  const ending = new AbortController();
  const { signal } = ending;
  let isOutdated = false;
  let lastAct = Date.now();
  /** When this page asks for a waiting version. A page that becomes free asks at once. */
  let askAt = 0;
  /** Fields in which somebody has typed. Forms of settings have texts without that. */
  const typedIn = new WeakSet<EventTarget>();

  const isFree = () => {
    const { status } = session;
    // Without a network, the page goes on with what it has. A page whose version the server refuses needs the new one.
    const canBegin = status.state === 'live' || (status.state === 'stopped' && status.reason === 'unsupported');
    if (!canBegin || hasPageWork() || isInUse(typedIn)) return false;
    return document.hidden || Date.now() - lastAct >= QUIET_MS;
  };
  const look = () => {
    const waiting = waitingWorker();
    if (!isOutdated && waiting === undefined) return;
    if (!isFree()) askAt = 0;
    else if (isOutdated) {
      end();
      loadAgain(navigation);
    } else if (Date.now() >= askAt) {
      askAt = Date.now() + ASK_AGAIN_MS;
      waiting?.postMessage({ kind: 'take-over' });
    }
  };
  const receive = ({ data, ports: [port] }: MessageEvent) => {
    if (!isVersionNotice(data)) return;
    const isOwn = isOfVersion(data.files);
    if (data.kind === 'took-over') {
      isOutdated = !isOwn;
      look();
      return;
    }
    const mayTakeOver = isOwn || isFree();
    if (!mayTakeOver) askAt = 0;
    port?.postMessage(mayTakeOver);
  };
  const act = () => {
    lastAct = Date.now();
  };
  // Who comes back to a page begins to read it.
  const show = () => (document.hidden ? look() : act());

  workers.addEventListener('message', receive, { signal });
  document.addEventListener('visibilitychange', show, { signal });
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

/** Loads the page again. `Navigation` then finds what the views keep. */
function loadAgain(navigation: Navigation): void {
  keepTyped();
  try {
    replaceEntry({ ...entryState(), kept: navigation.leave() });
  } catch {
    // A view keeps what the history cannot. Then the page begins where a visit begins.
  }
  window.location.reload();
}
