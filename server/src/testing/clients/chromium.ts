/** The browser of the tests. */
import { existsSync } from 'node:fs';

/** Chromium with its windows, as people have it. */
export const WHOLE_CHROMIUM = firstOf('/usr/bin/chromium', '/usr/bin/chromium-browser');

/** For tests. Without its windows, Chromium needs much less processor time for the same pages. */
export const CHROMIUM = firstOf('/usr/bin/chromium-headless-shell') ?? WHOLE_CHROMIUM;

/** The reason to skip tests that need a browser, or false if there is one. */
export const withoutBrowser = CHROMIUM === undefined ? 'Chromium is not installed' : false;

function firstOf(...paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}
