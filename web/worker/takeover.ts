/** When a new version of the app takes over from the one before. */
import { build, pathOf } from './build.ts';
import { START_PATH } from './start-page.ts';

declare const self: ServiceWorkerGlobalScope;

/** A page that does not answer within this time is frozen, in milliseconds. It keeps the files of its build. */
const ANSWER_TIMEOUT_MS = 1_000;

/** What the worker of a new version asks and tells the pages (`web/src/app/new-version.ts`). */
interface Notice {
  readonly kind: 'may-take-over' | 'took-over';
  /** The paths of the files of the version. */
  readonly files: readonly string[];
}

/** This worker becomes the active one if no page minds. A page minds while it is in use. */
export async function takeOver(): Promise<void> {
  const answers = await Promise.all((await pages()).map(agrees));
  if (answers.every(Boolean)) await self.skipWaiting();
}

/** Tells all pages that this worker is the active one. Pages of an earlier version then load themselves again. */
export async function announceTakeover(): Promise<void> {
  for (const page of await pages()) page.postMessage(notice('took-over'));
}

/** The pages of the app, also those of an earlier version. */
async function pages(): Promise<readonly Client[]> {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter(({ url }) => new URL(url).pathname === START_PATH);
}

function notice(kind: Notice['kind']): Notice {
  return { kind, files: build.needed.map(pathOf) };
}

function agrees(page: Client): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const answer = (mayTakeOver: boolean) => {
      clearTimeout(timer);
      port1.close();
      resolve(mayTakeOver);
    };
    const timer = setTimeout(() => answer(true), ANSWER_TIMEOUT_MS);
    port1.onmessage = ({ data }) => answer(data === true);
    page.postMessage(notice('may-take-over'), [port2]);
  });
}
