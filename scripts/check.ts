import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkTexts } from '../web/scripts/catalogs.ts';
import { checkGeneratedClient } from './checks/generated-client.ts';
import { checkCycles, checkImports, checkProduction } from './checks/imports.ts';
import { checkInterfaceRules, RULES_DOCUMENT } from './checks/interface-rules.ts';
import { checkLogTables } from './checks/log-tables.ts';
import { type Finding, readSources } from './checks/source.ts';
import { checkTestWaits } from './checks/test-waits.ts';
import { checkWireNames } from './checks/wire-names.ts';

const root = join(import.meta.dirname, '..');

/** Runs a tool from node_modules and prints its output at its end. Returns whether it succeeded. */
async function runTool(script: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(join(root, 'node_modules', '.bin', script), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  process.stdout.write(out);
  process.stderr.write(err);
  const [code] = await ended;
  return code === 0;
}

function show(findings: readonly Finding[]): boolean {
  for (const { path, line, problem } of findings) process.stdout.write(`${path}:${line}: ${problem}\n`);
  return findings.length === 0;
}

/** Texts of the web app that nobody can translate, and wrong or missing translations. */
async function textFindings(): Promise<readonly Finding[]> {
  const findings = await checkTexts(join(root, 'web'));
  return findings.map((finding) => ({ ...finding, path: `web/${finding.path}` }));
}

/** Runs all checks, also after a failure. Returns the names of the failed checks. */
async function check(): Promise<readonly string[]> {
  const types = runTool('tsc');
  const clientTypes = runTool('tsc', '--project', 'client');
  const webTypes = runTool('tsc', '--project', 'web');
  const style = runTool('biome', 'ci', '--reporter=summary', '--colors=off');
  const sources = await readSources(root);
  const interfaceRules = checkInterfaceRules(await readFile(join(root, RULES_DOCUMENT), 'utf8'), sources);
  const results: readonly (readonly [string, boolean])[] = [
    ['types (tsc)', await types],
    ['types of the client, without Node.js (tsc)', await clientTypes],
    ['types of the web app (tsc)', await webTypes],
    ['format and lint (biome)', await style],
    ['generated files of the client', show(await checkGeneratedClient())],
    ['import directions', show(checkImports(sources))],
    ['import cycles', show(checkCycles(sources))],
    ['tables that the log names', show(checkLogTables(sources))],
    ['no test code in production', show(checkProduction(sources))],
    ['wire names', show(checkWireNames(sources))],
    ['waits and clocks of tests', show(checkTestWaits(sources))],
    ['texts of the web app', show(await textFindings())],
    ['interface rules', show([...interfaceRules.findings, ...interfaceRules.untested])],
  ];
  for (const [name, passed] of results) process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name}\n`);
  return results.filter(([, passed]) => !passed).map(([name]) => name);
}

const failed = await check();
process.exitCode = failed.length === 0 ? 0 : 1;
