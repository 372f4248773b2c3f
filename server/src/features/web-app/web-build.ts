/** The built web app on disk (`scripts/build-web.ts`). */
import { createReadStream, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type WebAppStart, webAppLocale } from '@heddle/api/web-app.ts';
import type { Settings } from '../../domain/users/user-settings/first-settings.ts';
import type { FileSource } from '../../http/answers/answers.ts';
import { fileInMemory } from '../../http/answers/file-sources.ts';
import { html } from '../../pages/html.ts';
import type { WebBuildFile, WebBuildIcon, WebBuildRecord, WebBuildScreenshot } from './build-record.ts';

/** The build that `npm start` and the tests of the app make. */
const CURRENT_BUILD = join(import.meta.dirname, '..', '..', '..', '..', 'web', 'dist', 'current');

/** A file with the directory of its build. */
interface LocatedFile extends WebBuildFile {
  readonly path: string;
}

/** What the page contains besides the build. */
export interface PageContent {
  readonly start: WebAppStart;
  /** The nonce for style elements, as in the policy. */
  readonly nonce: string;
  /** How the user wants the app to look. Undefined for a spectator. */
  readonly settings: DisplaySettings | undefined;
}

/** The settings that the page needs before its scripts run. */
export type DisplaySettings = Pick<Settings, 'color_scheme' | 'default_language' | 'web_font_size_px'>;

/** The colour of the bars of a phone: `--paper` of `web/src/design/tokens.css`. */
const COLOURS = { light: '#ffffff', dark: '#17181b' } as const;

/** The values of the setting `color_scheme` that fix a theme. 1 follows the system. */
const THEMES: Readonly<Record<number, keyof typeof COLOURS | undefined>> = { 2: 'dark', 3: 'light' };

/** The font size that the app is made for. */
const USUAL_FONT_PIXELS = 16;

export class WebBuild {
  readonly icons: readonly WebBuildIcon[];
  /** The script of the service worker. Undefined if the build has none. */
  readonly worker: FileSource | undefined;
  readonly screenshots: readonly WebBuildScreenshot[];
  readonly #page: string;
  readonly #files: ReadonlyMap<string, LocatedFile>;

  /**
   * Reads the lists of files. The files themselves stay on disk: browsers keep them, so few requests arrive.
   * @param directory null: the newest build of this repository
   * @returns undefined if there is no build
   */
  static open(directory: string | null): WebBuild | undefined {
    try {
      return new WebBuild(realpathSync(directory ?? CURRENT_BUILD));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  private constructor(directory: string) {
    this.#page = readFileSync(join(directory, 'index.html'), 'utf8');
    const record = recordOf(directory);
    this.icons = record.icons;
    const worker = join(directory, 'worker.js');
    if (existsSync(worker)) this.worker = fileInMemory(readFileSync(worker), 'text/javascript; charset=utf-8');
    this.screenshots = record.screenshots ?? [];
    // Tabs that were opened before an upgrade load other parts of their version later.
    this.#files = new Map(
      [...otherBuildsBeside(directory), { directory, record }].flatMap((build) =>
        Object.entries(build.record.files).map(([name, file]) => [
          name,
          { ...file, path: join(build.directory, 'files', name) },
        ]),
      ),
    );
  }

  /** The HTML of the app. */
  page({ start, nonce, settings }: PageContent): string {
    const theme = THEMES[settings?.color_scheme ?? 1];
    const contents: Readonly<Record<string, string>> = {
      // In a script element, only `<` has a meaning.
      '"__START__"': JSON.stringify(start).replaceAll('<', '\\u003c'),
      __NONCE__: html`${nonce}`.toString(),
      __TITLE__: html`${start.organizationName}`.toString(),
      __LANGUAGE__: webAppLocale([settings?.default_language ?? '']) ?? 'en',
      __THEME__: theme ?? '',
      // The bars of a phone follow the theme of the system, unless the user has fixed one.
      __LIGHT_COLOUR__: COLOURS[theme ?? 'light'],
      __DARK_COLOUR__: COLOURS[theme ?? 'dark'],
      __FONT_SCALE__: String((settings?.web_font_size_px ?? USUAL_FONT_PIXELS) / USUAL_FONT_PIXELS),
    };
    return this.#page.replaceAll(/"__START__"|__[A-Z]+(?:_[A-Z]+)*__/g, (placeholder) => contents[placeholder] ?? '');
  }

  /** A file of this build or of an older one. Undefined if there is none with this name. */
  file(name: string): FileSource | undefined {
    const file = this.#files.get(name);
    if (file === undefined) return undefined;
    const { path, type: contentType, size, br, gzip } = file;
    return {
      size,
      // The name changes with the content.
      version: name.replaceAll(/[^\w-]/g, '-'),
      contentType,
      open: ({ start, end }) => createReadStream(path, { start, end }),
      coded: [
        ...(br === undefined ? [] : [{ coding: 'br' as const, size: br, open: () => createReadStream(`${path}.br`) }]),
        ...(gzip === undefined
          ? []
          : [{ coding: 'gzip' as const, size: gzip, open: () => createReadStream(`${path}.gz`) }]),
      ],
    };
  }
}

function recordOf(directory: string): WebBuildRecord {
  return JSON.parse(readFileSync(join(directory, 'build.json'), 'utf8')) as WebBuildRecord;
}

/** Older builds in the same directory. Directories without a list of files are none. */
function otherBuildsBeside(directory: string) {
  const parent = dirname(directory);
  const names = readdirSync(parent, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && /^[\da-f]{20}$/.test(entry.name) ? entry.name : [],
  );
  return names.flatMap((name) => {
    const other = join(parent, name);
    if (other === directory) return [];
    try {
      return [{ directory: other, record: recordOf(other) }];
    } catch {
      return [];
    }
  });
}
