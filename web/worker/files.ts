/** The files of the app, in one cache for each build. */
import { build, hasAll, isFilePath, pathOf } from './build.ts';

/** The names of the caches begin with this, and end with the name of the build. */
export const CACHE_PREFIX = 'heddle-build-';

/** The cache of this build. It also has the start page. */
export const OWN_CACHE = CACHE_PREFIX + build.name;

/** How many files are requested at a time. */
const MAX_PARALLEL_REQUESTS = 4;

/** An empty entry in the cache of a build whose worker was the active one. */
const WORKED_PATH = '/worked';

/** Files do not depend on headers of the request. */
const BY_NAME = { ignoreVary: true, ignoreSearch: true } as const;

/**
 * Fills the cache of this build. What an earlier build has as well is copied, so the server sends only what has changed.
 * @throws if a file cannot be loaded. The browser then tries later, and the worker before goes on
 */
export async function keepBuild(): Promise<void> {
  const cache = await caches.open(OWN_CACHE);
  const missing = build.needed.map(pathOf);
  const turn = async (): Promise<void> => {
    for (let path = missing.pop(); path !== undefined; path = missing.pop()) {
      if ((await copied(cache, path)) !== undefined) continue;
      const response = await fetch(path);
      if (response.status !== 200) throw new Error(`${path}: status ${response.status}`);
      await cache.put(path, response);
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL_REQUESTS }, turn));
  for (const name of build.others) await copied(cache, pathOf(name));
  // While a page stays open, new builds come and wait. Those that never worked go.
  await deleteAll((await otherBuilds()).waiting);
}

/** The caches of other builds, in the order in which they were made: of those that have worked, and of those that only waited. */
async function otherBuilds(): Promise<{ readonly worked: readonly string[]; readonly waiting: readonly string[] }> {
  const others = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX) && name !== OWN_CACHE);
  const marks = await Promise.all(others.map((cacheName) => caches.match(WORKED_PATH, { cacheName })));
  return {
    worked: others.filter((_, index) => marks[index] !== undefined),
    waiting: others.filter((_, index) => marks[index] === undefined),
  };
}

async function deleteAll(names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** Copies a file from the cache of another build. Returns undefined if none has it. */
async function copied(cache: Cache, path: string): Promise<true | undefined> {
  if ((await cache.match(path, BY_NAME)) !== undefined) return true;
  const other = await caches.match(path, BY_NAME);
  if (other === undefined) return undefined;
  await cache.put(path, other);
  return true;
}

/** Notes that this build works, and deletes the caches of builds that no page uses any more. Pages of the build before may be open. */
export async function forgetOldBuilds(): Promise<void> {
  await put(WORKED_PATH, new Response());
  await deleteAll((await otherBuilds()).worked.slice(0, -1));
}

/** A file of any build. A name stands for one content, so a page never gets a file of another build. */
export async function fileFor(request: Request, keep: (work: Promise<unknown>) => void): Promise<Response> {
  const kept = await caches.match(request.url, BY_NAME);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  const { pathname } = new URL(request.url);
  if (response.status === 200 && hasAll([pathname])) keep(put(pathname, response.clone()));
  return response;
}

async function put(path: string, response: Response): Promise<void> {
  // After a logout there is no cache.
  if (await caches.has(OWN_CACHE)) await (await caches.open(OWN_CACHE)).put(path, response);
}

/** Whether the worker answers a request for this path from its caches. A part of a sound or a video comes from the server. */
export function isFile({ headers }: Request, path: string): boolean {
  return isFilePath(path) && !headers.has('range');
}
