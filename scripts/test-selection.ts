import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { Random } from '@heddle/server/testing/random/random.ts';
import { importersIn } from './checks/import-graph.ts';
import { readSources } from './checks/source.ts';

/** The test files that one process runs in sequence. */
export type Process = readonly string[];

export interface Selection {
  readonly isDatabaseOnly: boolean;
  /**
   * Of the tests with SQL, selects those of SQL that may differ between versions, and a fifth of the others. This text, such as the id of a
   * commit, determines which.
   */
  readonly sample?: string;
  /** Selects the browser tests of the web app instead of all other tests. They have a command of their own, because they are slow. */
  readonly isWeb?: boolean;
  /** Selects the files with more work in long runs. */
  readonly isLong?: boolean;
  /** Parts of paths. An empty list selects all files. */
  readonly filters: readonly string[];
  /** Selects only files of this list. */
  readonly among?: readonly string[];
  /** The number of concurrent processes. */
  readonly concurrency: number;
  /** The seed of a random order. Default: an order that keeps all cores busy. */
  readonly seed?: number;
}

export interface Selected {
  /** Processes that run concurrently, in the order of their start. */
  readonly together: readonly Process[];
  /** Processes whose tests are about timeouts. They run one after the other, because load would trigger the timeouts. */
  readonly aboutTimeouts: readonly Process[];
}

/** A line of a test file whose tests need the timeouts of production, and a machine without other work. */
const ABOUT_TIMEOUTS = /^\/\/ timeouts: real$/m;

/** An import of a test file that does more in long runs (`npm run test:long`). */
const LONG = /\/faults\/kill-counts\.ts'/;

/** Folders with SQL that may differ between versions of PostgreSQL: locks, catalogs, plans, full-text search, migrations, backups. */
const DIFFERING_STATEMENTS =
  /^(server\/src\/(db|log|jobs)|operator\/src\/backup)\/|\/(search|history|read-state|retention|data-export|upgrades)\//;

/** Of the other files with SQL, one in so many runs on the second PostgreSQL. */
const SAMPLE_INTERVAL_FILES = 5;

/** Maximum number of files per process. Files share a process because loading the server takes as long as the tests of a small file. */
export const MAX_FILES_PER_PROCESS = 24;

/** For few files, more processes use all cores. Each new process costs about two seconds of computing. */
const FILES_PER_PROCESS_OF_FEW = 4;

/** The folders without SQL. Their tests over HTTP do not depend on the version of PostgreSQL. */
const WITHOUT_STATEMENTS = /^(operator\/src\/commands|server\/src\/(http|markup|pages|pictures|push|testing))\//;

/** Files of `server/src/testing/` that start programs. Tests with them mostly wait, and do not depend on the version of PostgreSQL. */
const STARTING_PROGRAMS = [
  'faults/heddle-process',
  'faults/workers',
  'clients/browser',
  'database/replicated-cluster',
  'services/pgbouncer',
  'services/s3-server',
  'services/slapd',
];
/** The same for files with services inside the test process, and for pages. */
const BRINGING_SERVICES = [
  'services/bot-service',
  'services/login-provider',
  'services/mail-server',
  'services/name-server',
  'services/push-service',
  'services/web-push-service',
  'clients/visitor',
];

/** Browser tests of the web app (`web/testing/browser-world.ts`). */
const OF_BROWSER = /^web\/.*\.browser\.test\.ts$/;

/** Browser tests that look at all views. They take longest, so they start first, each in a process of its own. */
const OF_MANY_VIEWS = /^web\/testing\/views\//;

/** The other browser tests share a process and its browser. Each process costs five seconds of computing. Smaller processes leave no core without work at the end. */
const BROWSER_FILES_PER_PROCESS = 10;

/** Tests that need a separate process, because they measure its memory, its processor time or its work. */
const ALONE =
  /^(server\/src\/(idle-memory|features\/mail-gateway\/hostile-mails)|bench\/src\/growth\/[^/]+)\.test\.ts$/;

/** Assigns the selected test files to processes. */
export async function selectTests(selection: Selection): Promise<Selected> {
  const { filters, isWeb = false, isLong = false, among: list, seed } = selection;
  const listed = list && new Set(list);
  const paths = await Array.fromAsync(
    glob('{api,client,embedded-postgres,operator,server,web,bench,chaos,scripts}/**/*.test.ts', {
      exclude: (name) => name === 'node_modules',
    }),
  );
  const sorted = paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => OF_BROWSER.test(path) === isWeb)
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .filter((path) => listed === undefined || listed.has(path))
    .sort();
  const ordered = seed === undefined ? sorted : new Random(seed).shuffled(sorted);
  const texts = new Map(await Promise.all(ordered.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
  const matching = (pattern: RegExp) => (path: string) => pattern.test(texts.get(path) ?? '');
  const selected = isLong ? ordered.filter(matching(LONG)) : ordered;
  const isAboutTimeouts = matching(ABOUT_TIMEOUTS);
  const together = selected.filter((path) => !isAboutTimeouts(path));
  const aboutTimeouts = await assign(selected.filter(isAboutTimeouts), selection);
  return {
    together: await assign(together, selection),
    aboutTimeouts: aboutTimeouts.flat().map((path) => [path]),
  };
}

async function assign(selected: readonly string[], selection: Selection): Promise<Process[]> {
  const { concurrency, isDatabaseOnly, isWeb = false } = selection;
  if (isWeb) {
    const long = selected.filter((path) => OF_MANY_VIEWS.test(path));
    const others = selected.filter((path) => !OF_MANY_VIEWS.test(path));
    const count = Math.max(Math.ceil(others.length / BROWSER_FILES_PER_PROCESS), concurrency);
    return [...long.map((path) => [path]), ...spread(others, count)];
  }
  // Few files need no order, which saves reading the imports of all files.
  const processes = Math.ceil(selected.length / FILES_PER_PROCESS_OF_FEW);
  const isFew = processes <= concurrency && !isDatabaseOnly;
  return isFew ? spread(selected, processes) : await inOrder(selected, selection);
}

/** Whether a file of SQL that does not differ between versions runs on the second PostgreSQL for this sample. */
function isSampled(path: string, sample: string): boolean {
  const [first = 0] = createHash('sha256').update(`${sample} ${path}`).digest();
  return first % SAMPLE_INTERVAL_FILES === 0;
}

/** Who imports what in this project. Reading all files takes a second, so a process does it once. */
let importGraph: Promise<ReturnType<typeof importersIn>> | undefined;

/** Distributes test files that start programs among the other files, which keep the processor busy. */
async function inOrder(paths: readonly string[], { isDatabaseOnly, sample, seed }: Selection): Promise<Process[]> {
  importGraph ??= readSources('.').then(importersIn);
  const importersOf = await importGraph;
  const importing = (names: readonly string[]) => {
    const importers = names.map((name) => importersOf(`server/src/testing/${name}.ts`));
    return (path: string) => importers.some((files) => files.has(path));
  };
  const isStarting = importing(STARTING_PROGRAMS);
  const isOfServices = importing(BRINGING_SERVICES);
  const isOfDatabase = importing(['database/database']);
  const isOfStatements = (path: string) =>
    /^(operator|server)\/src\/.*\//.test(path) &&
    !WITHOUT_STATEMENTS.test(path) &&
    isOfDatabase(path) &&
    !isStarting(path) &&
    !isOfServices(path);
  const isWanted = (path: string) => sample === undefined || DIFFERING_STATEMENTS.test(path) || isSampled(path, sample);
  const selected = isDatabaseOnly ? paths.filter((path) => isOfStatements(path) && isWanted(path)) : paths;
  const computing = selected.filter((path) => !isStarting(path));
  return among(
    (seed === undefined ? highestFirst(selected.filter(isStarting)) : selected.filter(isStarting)).map((path) => [
      path,
    ]),
    spread(computing, Math.ceil(computing.length / MAX_FILES_PER_PROCESS)),
  );
}

/** Tests of the whole server are in upper folders and take longest. */
function highestFirst(paths: readonly string[]): string[] {
  const depth = (path: string) => path.split('/').length;
  return paths.toSorted((a, b) => depth(a) - depth(b));
}

/** Distributes files over `count` processes of similar duration. Neighbouring files take similar time, so they go to different processes. */
function spread(paths: readonly string[], count: number): Process[] {
  const together = paths.filter((path) => !ALONE.test(path));
  const processes = Array.from({ length: Math.min(count, together.length) }, (_, process) =>
    together.filter((_, index) => index % count === process),
  );
  return [...paths.filter((path) => ALONE.test(path)).map((path) => [path]), ...processes];
}

/** Inserts the few processes that mostly wait among the first two thirds of the others. This keeps all cores busy, and no long process starts last. */
function among<T>(few: readonly T[], many: readonly T[]): T[] {
  const apart = Math.max(1, Math.floor((many.length * 2) / 3 / (few.length + 1)));
  const between = few.flatMap((each, index) => [each, ...many.slice(index * apart, (index + 1) * apart)]);
  return [...between, ...many.slice(few.length * apart)];
}
