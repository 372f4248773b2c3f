/** The checks by tools: TypeScript and Biome. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Check } from './run-checks.ts';
import { hashOf, type Inputs } from './successes.ts';

const root = join(import.meta.dirname, '..', '..');

/** Where TypeScript stores what it knows of each project. It then checks only what a change affects. */
const BUILD_INFO = join(root, 'node_modules', '.cache', 'heddle', 'types');

/** Files that can change the result for every other file: settings, versions, and the calls of the tools. */
const SETTINGS =
  /(^|\/)(package|package-lock|\.package-lock|tsconfig[^/]*|biome)\.json$|^\.gitignore$|^scripts\/check(s\/tools)?\.ts$/;

/** More changed files than this take as long as all files. It also bounds the length of a command. */
const MAX_FILES_TO_NAME = 200;

/** Checks the types of the TypeScript project in a folder. */
export function typesOf(folder: string, name: string): Check {
  const info = join(BUILD_INFO, `${folder === '.' ? 'root' : folder.replaceAll('/', '-')}.tsbuildinfo`);
  return {
    name,
    inputsIn: (tree) => inputsOfTypes(tree, info),
    run: async () => {
      await mkdir(BUILD_INFO, { recursive: true });
      // Several checkers repeat each other's work: four need twice the processor time of one.
      return runTool('tsc', ['--project', folder, '--incremental', '--tsBuildInfoFile', info, '--checkers', '1']);
    },
  };
}

/**
 * The settings, the files that the project read in its last run, and the names of all files. A new file can belong to the project, or hide
 * another one. Before the first run these are all files.
 */
async function inputsOfTypes(tree: Inputs, info: string): Promise<Inputs> {
  const stored = await readFile(info, 'utf8').catch(() => undefined);
  if (stored === undefined) return tree;
  const { fileNames } = JSON.parse(stored) as { readonly fileNames: readonly string[] };
  const read = new Set(fileNames.map((name) => relative(root, join(dirname(info), name)).replaceAll('\\', '/')));
  const inputs = new Map([...tree].filter(([path]) => read.has(path) || SETTINGS.test(path)));
  const names = [...tree.keys()].filter((path) => /\.(tsx?|json)$/.test(path)).sort();
  return inputs.set('the names of all files', hashOf(names.join('\n')));
}

/** Checks format and lint. Each rule looks at one file alone, so Biome gets only the changed files, unless a setting changed. */
export function formatAndLint(name: string): Check {
  return {
    name,
    run: async (changed) => {
      const all = ['ci', '--reporter=summary', '--colors=off'];
      if (changed === undefined || changed.length > MAX_FILES_TO_NAME || changed.some((path) => SETTINGS.test(path))) {
        return runTool('biome', all);
      }
      const present = changed.filter((path) => existsSync(join(root, path)));
      return present.length === 0 || runTool('biome', [...all, '--no-errors-on-unmatched', ...present]);
    },
  };
}

/** Runs a tool from node_modules and prints its output at its end. Returns whether it succeeded. */
async function runTool(tool: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  process.stdout.write(out);
  process.stderr.write(err);
  const [code] = await ended;
  return code === 0;
}
