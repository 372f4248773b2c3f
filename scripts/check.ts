import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkImports } from './checks/imports.ts';
import { type Finding, readSources } from './checks/source.ts';
import { checkWireNames } from './checks/wire-names.ts';

const root = join(import.meta.dirname, '..');

/** Runs a tool from node_modules with its output shown; true when it succeeded. */
function runTool(script: string, ...args: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules', '.bin', script), args, { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0));
  });
}

function show(findings: readonly Finding[]): boolean {
  for (const { path, line, problem } of findings) process.stdout.write(`${path}:${line}: ${problem}\n`);
  return findings.length === 0;
}

/** Each check by name, in the order of what is quickest to mend. All are run, so that one run shows everything. */
async function check(): Promise<readonly string[]> {
  const sources = await readSources(root);
  const results: readonly (readonly [string, boolean])[] = [
    ['types (tsc)', await runTool('tsc')],
    ['format and lint (biome)', await runTool('biome', 'ci', '--reporter=summary', '--colors=off')],
    ['import directions', show(checkImports(sources))],
    ['wire names', show(checkWireNames(sources))],
  ];
  for (const [name, passed] of results) process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name}\n`);
  return results.filter(([, passed]) => !passed).map(([name]) => name);
}

const failed = await check();
process.exitCode = failed.length === 0 ? 0 : 1;
