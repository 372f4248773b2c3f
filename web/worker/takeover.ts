/** When a new version of the app takes over from the one before. */
import { build, pathOf } from './build.ts';
import type { VersionNotice } from './version-notice.ts';
import { appWindows, responseOf } from './windows.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * This worker becomes the active one if no page minds. A page minds while it is in use. A page that does not respond is frozen or has not loaded
 * its code: it keeps the files of its build.
 */
export async function takeOver(): Promise<void> {
  const pages = await appWindows();
  const responses = await Promise.all(pages.map((page) => responseOf(page, notice('may-take-over'))));
  if (!responses.includes(false)) await self.skipWaiting();
}

/** Tells all pages that this worker is the active one. Pages of an earlier version then load themselves again. */
export async function announceTakeover(): Promise<void> {
  for (const page of await appWindows()) page.postMessage(notice('took-over'));
}

function notice(kind: VersionNotice['kind']): VersionNotice {
  return { kind, files: build.needed.map(pathOf) };
}
