/** Where a login leads. Links to login pages come from anywhere, so what they name is used only where it is a path of this server. */

const HERE = 'http://here.invalid';

/** @returns the path, with its query and fragment, as browsers understand it; `fallback` for anything that could lead elsewhere */
export function safePath(path: string | undefined, fallback: string): string {
  if (path === undefined || !path.startsWith('/') || UNUSUAL.test(path)) return fallback;
  const url = URL.parse(path, HERE);
  if (url === null || url.origin !== HERE) return fallback;
  const safe = url.pathname + url.search + url.hash;
  // `/.//elsewhere` becomes one that leads there.
  return safe.startsWith('//') ? fallback : safe;
}

/** Browsers read a backslash as a slash, and leave out controls and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNUSUAL = /[\\\u0000-\u0020\u007f]/;
