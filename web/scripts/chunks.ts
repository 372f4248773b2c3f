/** Which modules of the app are one file. Few files load faster than many, if they hold no code that is needed later. */
import { join } from 'node:path';
import type { Rolldown } from 'vite';
import { PARTS_ID } from './vite-parts.ts';

type Group = Rolldown.CodeSplittingGroup;
type Context = Parameters<Extract<Group['name'], (...parameters: never[]) => unknown>>[1];

/** The script that runs first, see its comment. */
export const EARLY_SCRIPT = 'src/base/early.ts';

/** What every wide window shows at once beside the conversation. */
const RIGHT_COLUMN = 'src/people/sidebar/right-sidebar.tsx';

/** React changes rarely. A chunk of its own stays in the caches of browsers when the app changes. */
const REACT = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/;

/** The groups of modules. A module belongs to the first group that takes it. `web` is the folder of the web app. */
export function chunkGroups(web: string): Group[] {
  return [
    { name: 'early', test: (id: string) => id === join(web, EARLY_SCRIPT) },
    { name: 'react', test: REACT },
    // Without it, each part that an initial and a later chunk share is a file: a hundred requests for the first view.
    { name: 'main', tags: ['$initial'] },
    { name: reachedFrom('right-column', join(web, RIGHT_COLUMN)) },
    { name: reachedFrom('parts', PARTS_ID) },
  ];
}

/** A group of all modules that the root imports, directly or through others. */
function reachedFrom(name: string, root: string): (id: string, context: Context) => string | null {
  let reached: ReadonlySet<string> | undefined;
  return (id, context) => {
    reached ??= closureOf(root, context);
    return reached.has(id) ? name : null;
  };
}

function closureOf(root: string, context: Context): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [root];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    const module = context.getModuleInfo(id);
    if (module === null) continue;
    reached.add(id);
    waiting.push(...module.importedIds);
  }
  return reached;
}
