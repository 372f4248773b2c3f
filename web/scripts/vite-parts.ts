/** Plugin of the build: one file for all parts of the app that load in the background. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** A module with the namespaces of all parts. */
const PARTS = 'virtual:parts';
export const PARTS_ID = `\0${PARTS}`;

/** The rest of the compose box. It loads in the background like the parts, but it is none. */
const TARGET_BAR = 'src/compose/box/target-bar.tsx';

/** `lazyPart(() => import('./dialog.tsx'))` and `lazyPart(async () => ({ default: (await import('./dialog.tsx')).Dialog }))`. */
const LAZY_PART = /\blazyPart\((?:async )?\(\) => [^;]*?\bimport\('([^']+)'\)/g;
const LAZY_PART_CALL = /(?<!function )\blazyPart(?:<[^;()]*>)?\(/g;
const DYNAMIC_IMPORT = /\bimport\('(\.[^']+)'\)/g;

/**
 * The app loads all parts (`src/base/lazy-part.tsx`) when the browser is idle. As files of their own they would be fifty requests, and one file is
 * smaller. So each import of a part becomes an import of the module with all of them. `web` is the folder of the web app.
 */
export function oneFileOfParts(web: string): Plugin {
  let parts: readonly string[] = [];
  return {
    name: 'heddle:parts',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      parts = partsIn(web);
    },
    resolveId: (id) => (id === PARTS ? PARTS_ID : undefined),
    load: (id) =>
      id === PARTS_ID
        ? parts.map((path, index) => `export * as part${index} from ${JSON.stringify(path)};`).join('\n')
        : undefined,
    transform(code, id) {
      if (!id.startsWith(join(web, 'src'))) return undefined;
      const changed = code.replace(DYNAMIC_IMPORT, (whole, path: string) => {
        const index = parts.indexOf(join(dirname(id), path));
        return index === -1 ? whole : `import('${PARTS}').then((parts) => parts.part${index})`;
      });
      return changed === code ? undefined : { code: changed, map: null };
    },
  };
}

/**
 * The modules that the app loads with `lazyPart`.
 * @throws Error if a call is not written as in `LAZY_PART`: its module would silently become a file of its own
 */
function partsIn(web: string): string[] {
  const source = join(web, 'src');
  if (!existsSync(source)) return [];
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => {
      const file = join(source, path);
      const text = readFileSync(file, 'utf8');
      const imported = [...text.matchAll(LAZY_PART)].map(([, part = '']) => join(dirname(file), part));
      if (imported.length !== (text.match(LAZY_PART_CALL) ?? []).length) {
        throw new Error(`${file}: write each call as lazyPart(() => import('./file.tsx')), so that the build finds it`);
      }
      return imported;
    });
  const bar = join(web, TARGET_BAR);
  return [...new Set(existsSync(bar) ? [...found, bar] : found)].sort();
}
