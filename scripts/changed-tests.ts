/** The test files that a change can concern, for `npm test -- --changed`. CONTRIBUTING.md, "Work", states the rules. */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path/posix';
import { promisify } from 'node:util';
import { importsOf, targetOf } from './checks/import-graph.ts';
import { readSources, type SourceFile } from './checks/source.ts';

export interface ChangedTests {
  /** The changed files, from the root of the repository. */
  readonly changed: readonly string[];
  /** The test files to run, sorted. */
  readonly files: readonly string[];
  /** Changed files for which no test file is selected. Only the whole run may test them. */
  readonly untested: readonly string[];
}

/** Selects the tests of the changes since the merge base with `base`, including those of the working tree. */
export async function changedTests(base = 'main'): Promise<ChangedTests> {
  const [changed, sources] = await Promise.all([changedFiles(base, '.'), readSources('.')]);
  return testsOf(changed, sources);
}

const run = promisify(execFile);

/** Maximum size of a list of files. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** The files that differ between the merge base and the working tree of a repository, also deleted and new ones. */
export async function changedFiles(base: string, cwd: string): Promise<string[]> {
  const git = async (...args: readonly string[]) => {
    const { stdout } = await run('git', args, { cwd, maxBuffer: MAX_LIST_BYTES });
    return stdout.split('\0').filter((path) => path !== '');
  };
  const [start = ''] = await git('merge-base', base, 'HEAD');
  const [edited, created] = await Promise.all([
    git('diff', '--name-only', '--no-renames', '-z', start.trim()),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  return [...new Set([...edited, ...created])].sort();
}

/**
 * Files that put the whole server together, and helpers that set the scene of tests. Nearly every test imports all code through them. So a
 * change of other code is not followed through them.
 */
const JOINTS = /^server\/src\/(app|open-app|all-features)\.ts$|(^|\/)testing\/.*(?<!\.test)\.ts$/;

/** The folder of a feature or of an area of the domain. The server finds its `index.ts` at run time, so no file imports that. */
const FOUND_FOLDER = /^(server\/src\/(?:features\/[^/]+|domain\/[^/]+(?:\/[^/]+)?))\//;

const isTest = (path: string) => path.endsWith('.test.ts');

/** The same for given changes and sources. */
export function testsOf(changed: readonly string[], sources: readonly SourceFile[]): ChangedTests {
  const importers = importersByFile(sources);
  const tests = sources.map(({ path }) => path).filter(isTest);
  const known = new Set(tests);
  const files = new Set<string>();
  const untested: string[] = [];
  for (const path of changed) {
    const selected = [...reaching(path, importers)].filter((each) => known.has(each));
    selected.push(...tests.filter((test) => dirname(test) === dirname(path)));
    if (selected.length === 0) selected.push(...nearestTests(path, tests));
    if (selected.length === 0) untested.push(path);
    for (const test of selected) files.add(test);
  }
  return { changed, files: [...files].sort(), untested };
}

/** The direct importers of each file. Imports of types do not count, because the type check covers them. */
function importersByFile(sources: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  const add = (target: string, importer: string) => {
    if (JOINTS.test(importer) && !JOINTS.test(target)) return;
    importers.set(target, (importers.get(target) ?? new Set<string>()).add(importer));
  };
  for (const file of sources) {
    for (const { specifier, isType } of importsOf(file)) {
      const target = targetOf(file.path, specifier);
      if (target !== undefined && !isType) add(target, file.path);
    }
    const [, folder] = FOUND_FOLDER.exec(file.path) ?? [];
    if (folder !== undefined && isTest(file.path)) add(`${folder}/index.ts`, file.path);
  }
  return importers;
}

/** The file and all files that import it, directly or through others. */
function reaching(path: string, importers: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set([path]);
  // The iteration of a set includes elements that are added during the iteration.
  for (const each of reached) for (const importer of importers.get(each) ?? []) reached.add(importer);
  return reached;
}

/** The tests of the nearest folder above a file, inside its workspace. They cover files that no file imports, such as migrations. */
function nearestTests(path: string, tests: readonly string[]): readonly string[] {
  for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) {
    const found = tests.filter((test) => dirname(test) === folder);
    if (found.length > 0) return found;
  }
  return [];
}
