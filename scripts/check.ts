import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkTexts, workspacesWithTexts } from '../web/scripts/catalogs.ts';
import { checkChosenRows } from './checks/chosen-rows.ts';
import { checkConstantNames } from './checks/constant-names.ts';
import { checkExports } from './checks/exports.ts';
import { checkGeneratedClient } from './checks/generated-client.ts';
import { checkCycles, checkImports, checkProduction } from './checks/imports.ts';
import { checkInterfaceRules, RULES_DOCUMENT } from './checks/interface-rules.ts';
import { checkLogTables } from './checks/log-tables.ts';
import { type Check, runChecks } from './checks/run-checks.ts';
import { type Finding, readSources, type SourceFile } from './checks/source.ts';
import { checkTestRandomness } from './checks/test-randomness.ts';
import { checkTestWaits } from './checks/test-waits.ts';
import { formatAndLint, typesOf } from './checks/tools.ts';
import { checkWireNames } from './checks/wire-names.ts';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules', '.cache', 'heddle');

type CheckOfSources = (sources: readonly SourceFile[]) => readonly Finding[] | Promise<readonly Finding[]>;

/** Checks of our own. Each is a function from the TypeScript files of the project to its findings. */
const ofSources: readonly (readonly [string, CheckOfSources])[] = [
  ['generated files of the client', checkGeneratedClient],
  ['import directions', checkImports],
  ['import cycles', checkCycles],
  ['tables that the log names', checkLogTables],
  ['no test code in production', checkProduction],
  ['unused exports', checkExports],
  ['seeds of random tests', checkTestRandomness],
  ['waits and clocks of tests', checkTestWaits],
  ['names of numeric constants', checkConstantNames],
  ['rows that statements choose', checkChosenRows],
  ['wire names', checkWireNames],
  ['texts of the web app, of pages and mails', findTexts],
  ['interface rules', findRules],
];

/** Texts of the web app, of pages and mails that cannot be translated, and wrong or missing translations. */
async function findTexts(): Promise<readonly Finding[]> {
  const all: Finding[] = [];
  for (const { folder, locales } of workspacesWithTexts(root)) {
    for (const finding of await checkTexts(folder, locales)) {
      all.push({ ...finding, path: `${basename(folder)}/${finding.path}` });
    }
  }
  return all;
}

async function findRules(sources: readonly SourceFile[]): Promise<readonly Finding[]> {
  const { findings, untested } = checkInterfaceRules(await readFile(join(root, RULES_DOCUMENT), 'utf8'), sources);
  return [...findings, ...untested];
}

let sources: Promise<readonly SourceFile[]> | undefined;

const checks: readonly Check[] = [
  typesOf('.', 'types (tsc)'),
  typesOf('client', 'types of the client, without Node.js (tsc)'),
  typesOf('web', 'types of the web app (tsc)'),
  typesOf('web/worker', 'types of the service worker (tsc)'),
  formatAndLint('format and lint (biome)'),
  ...ofSources.map(([name, find]) => ({
    name,
    run: async () => {
      sources ??= readSources(root);
      const findings = await find(await sources);
      for (const { path, line, problem } of findings) process.stdout.write(`${path}:${line}: ${problem}\n`);
      return findings.length === 0;
    },
  })),
];

// `--all` forgets all earlier successes.
if (process.argv.includes('--all')) {
  for (const folder of ['checks', 'types']) await rm(join(cache, folder), { recursive: true, force: true });
}
const results = await runChecks(checks, root, join(cache, 'checks'));
for (const { name, passed, isUnchanged } of results) {
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name}${isUnchanged ? ', unchanged' : ''}\n`);
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
