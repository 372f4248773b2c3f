import { importsOf, targetOf } from './import-graph.ts';
import type { Finding, SourceFile } from './source.ts';

/**
 * The rooms of the house and what each may import, besides itself and packages. Imports run downwards only; a room that
 * is not listed is an error, so that a new one is placed on purpose.
 */
const base = ['api', 'config', 'version'];
const rooms: Readonly<Record<string, readonly string[]>> = {
  api: [],
  config: [],
  version: [],
  markup: ['api'],
  http: base,
  pages: base,
  db: base,
  storage: [...base, 'db'],
  log: [...base, 'db'],
  directory: [...base, 'db', 'log'],
  access: [...base, 'db', 'log', 'directory'],
  pictures: ['api', 'directory', 'http'],
  jobs: [...base, 'db', 'log', 'directory', 'access'],
  mail: [...base, 'db', 'log', 'directory', 'access', 'jobs', 'pages'],
  push: [...base, 'db', 'log', 'directory', 'access', 'jobs'],
};
const belowFeatures = Object.keys(rooms);
const serverRooms = [...belowFeatures, 'features', 'app'];

const upperRooms: Readonly<Record<string, readonly string[]>> = {
  features: belowFeatures,
  app: [...belowFeatures, 'features'],
  testing: serverRooms,
  bench: [...serverRooms, 'testing'],
  scripts: [...serverRooms, 'testing'],
};

/** Files directly in `server/src/` that compose the rooms. `config.ts` is a room of its own, low down. */
const appFiles = new Set(['app', 'housekeeping', 'idle-memory', 'main', 'lifecycle', 'secret', 'commands']);

/** What of a feature the other features may use. */
const featureDoors = new Set(['actions', 'queries', 'state', 'present']);

/** The room that a file (a path from the repository's root) lies in; undefined when nobody has placed it. */
export function roomOf(path: string): string | undefined {
  const [workspace, , first = ''] = path.split('/');
  if (workspace === 'api' || workspace === 'bench' || workspace === 'scripts') return workspace;
  if (workspace !== 'server') return undefined;
  const name = first.replace(/\.ts$/, '');
  if (appFiles.has(name)) return 'app';
  return name in rooms || name in upperRooms ? name : undefined;
}

function problemWith(from: string, specifier: string): string | undefined {
  const to = targetOf(from, specifier);
  if (to === undefined) return undefined;
  const fromRoom = roomOf(from);
  const toRoom = roomOf(to);
  if (toRoom === undefined) return `${specifier} lies in no known room; place it in scripts/checks/imports.ts`;
  if (fromRoom === undefined) return undefined;

  if (fromRoom === 'features' && toRoom === 'features') {
    const [, , , ownFeature] = from.split('/');
    const [, , , feature, file = ''] = to.split('/');
    // Files directly in features/ are what all features share.
    if (ownFeature === feature || file === '' || featureDoors.has(file.replace(/\.ts$/, ''))) return undefined;
    return `the feature ${ownFeature} may use ${feature} only through its actions.ts, queries.ts, state.ts or present.ts`;
  }
  if (fromRoom === toRoom) return undefined;
  const allowed = rooms[fromRoom] ?? upperRooms[fromRoom] ?? [];
  return allowed.includes(toRoom) ? undefined : `${fromRoom} may not import ${toRoom} (${specifier})`;
}

/**
 * Imports that run upwards or past a feature's doors. Tests may import whatever they drive.
 * Rule: `ARCHITECTURE.md`, the house.
 */
export function checkImports(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    if (path.endsWith('.test.ts')) return [];
    if (roomOf(path) === undefined) {
      return [{ path, line: 1, problem: 'lies in no known room; place it in scripts/checks/imports.ts' }];
    }
    return importsOf(text).flatMap(({ specifier, line }) => {
      const problem = problemWith(path, specifier);
      return problem === undefined ? [] : [{ path, line, problem }];
    });
  });
}
