import type { App } from '../base/app.tsx';
import { followVersions } from './new-version.ts';

/** The script of the service worker (`web/worker/`). At the root, it may answer for the page. */
const WORKER_PATH = '/worker.js';

/** How often a page that stays open asks for a new version, in milliseconds. */
const UPDATE_EVERY_MS = 60 * 60_000;

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string };
}

let trustedUrl: string | undefined;

/** The policy of the page lets code run a worker only from this address. */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  trustedUrl ??=
    trustedTypes?.createPolicy('heddle-worker', { createScriptURL: () => WORKER_PATH }).createScriptURL('') ??
    WORKER_PATH;
  return trustedUrl;
}

/** Installs the service worker, lets it look for new versions, and loads the page again for one. Returns a function that ends this. */
export function followWorker({ navigation, session }: Pick<App, 'navigation' | 'session'>): () => void {
  // Browsers have no workers on a page without encryption.
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (workers === undefined) return () => undefined;
  let registration: ServiceWorkerRegistration | undefined;
  const endVersions = followVersions(workers, () => registration?.waiting ?? undefined, { navigation, session });
  // Without storage, or if a file cannot be loaded, the app works as long as there is a network. The next visit tries again.
  const register = async () => {
    registration = await workers.register(workerUrl(), { scope: '/', updateViaCache: 'none' });
    // A reload that leaves out the worker can open a page after a logout without a server.
    const worker = (await workers.getRegistration())?.active;
    worker?.postMessage({ kind: 'leave-now' });
  };
  register().catch(() => undefined);
  const update = () => void registration?.update().catch(() => undefined);
  const timer = setInterval(update, UPDATE_EVERY_MS);
  // A server that comes back may have a new version.
  let wasLive = session.status.state === 'live';
  const endStatus = session.statusChanges.subscribe(() => {
    const isLive = session.status.state === 'live';
    if (isLive && !wasLive) update();
    wasLive = isLive;
  });
  return () => {
    endVersions();
    endStatus();
    clearInterval(timer);
  };
}
