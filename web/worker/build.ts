/** The build of the app to which this worker belongs. `scripts/web-build/worker.ts` writes it into the script. */

export interface Build {
  /** Equal sources have equal names. */
  readonly name: string;
  /** The names of the files without which the app does not work: scripts, styles, the font of most texts. */
  readonly needed: readonly string[];
  /** The other files, for example rarer fonts. The worker keeps those that a page has used. */
  readonly others: readonly string[];
}

declare const BUILD_OF_WORKER: Build;

export const build: Build = BUILD_OF_WORKER;

/** The path of the app's files on the server, as in `web/vite.config.ts`. */
const FILES_PATH = '/static/app/';

const paths = new Set([...build.needed, ...build.others].map(pathOf));

export function pathOf(name: string): string {
  return FILES_PATH + name;
}

/** Whether it is the path of a file of any build. */
export function isFilePath(path: string): boolean {
  return path.startsWith(FILES_PATH);
}

/**
 * Whether these are files of this build. Names change with the content, and each script names the scripts that it loads. So a page whose scripts
 * are of this build needs no file of another one.
 */
export function hasAll(wanted: readonly string[]): boolean {
  return wanted.every((path) => paths.has(path));
}
