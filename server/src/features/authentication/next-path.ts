/** The destination of a login. Anyone can write links to login pages, so a destination is used only if it is a path of this server. */

const HERE = 'http://here.invalid';

/** @returns the path, with query and fragment, as browsers understand it; `fallback` for anything that could lead elsewhere */
export function safePath(path: string | undefined, fallback: string): string {
  if (path === undefined || !path.startsWith('/') || UNUSUAL.test(path)) return fallback;
  const url = URL.parse(path, HERE);
  if (url === null || url.origin !== HERE) return fallback;
  const safe = url.pathname + url.search + url.hash;
  // `/.//elsewhere` becomes `//elsewhere`, which leads to another host.
  return safe.startsWith('//') ? fallback : safe;
}

/** The login page accepts no longer ones (`loginDestination` in the contract). */
const MAX_NEXT_LENGTH = 1000;

/** The address of the login page. A login there leads to the path, if it is a path of this server. */
export function loginAddress(path: string): string {
  const next = safePath(path, '');
  return next === '' || next.length > MAX_NEXT_LENGTH ? '/login/' : `/login/?next=${encodeURIComponent(next)}`;
}

/** Browsers read a backslash as a slash, and leave out controls and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNUSUAL = /[\\\u0000-\u0020\u007f]/;
