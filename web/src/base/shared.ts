/**
 * What other apps have shared with this one. The service worker receives the form of `/share` and keeps it in a cache of its own until the user
 * has chosen a conversation: the text as `/share/text`, and each file as `/share/files/<number>` with its encoded name in `x-file-name`.
 */
const CACHE = 'heddle-shared';
const TEXT = '/share/text';
const FILES = '/share/files/';

export interface Shared {
  readonly text: string;
  readonly files: readonly File[];
}

export const NOTHING_SHARED: Shared = { text: '', files: [] };

/** What the worker keeps. */
export async function readShared(): Promise<Shared> {
  // Only pages with HTTPS have caches, and only those have a worker.
  if (!('caches' in window) || !(await caches.has(CACHE))) return NOTHING_SHARED;
  const cache = await caches.open(CACHE);
  const text = (await (await cache.match(TEXT))?.text()) ?? '';
  const requests = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(FILES));
  const files = await Promise.all(
    requests.map(async (request) => {
      const response = await cache.match(request);
      const content = (await response?.blob()) ?? new Blob();
      const name = decodeURIComponent(response?.headers.get('x-file-name') ?? 'file');
      return new File([content], name, { type: content.type });
    }),
  );
  return { text, files };
}

/** The user has chosen a conversation, or does not want to share. */
export async function forgetShared(): Promise<void> {
  if ('caches' in window) await caches.delete(CACHE);
}
