import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { benchmarks } from './benchmarks/index.ts';
import { inheritedEnvironment, repository } from './harness/programs.ts';
import type { Report } from './report.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

test('every benchmark runs against Heddle and its floor, and what it found is printed and written', () => {
  const run = spawnSync(process.execPath, [main, '--quick'], {
    cwd: repository,
    env: inheritedEnvironment(),
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.stderr);
  const file = run.stdout.trimEnd().split('\n').at(-1) ?? '';
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  rmSync(file);
  assert.deepEqual(report.failures, {});
  for (const { name } of benchmarks) {
    const rows = report.rows.filter((row) => row.name === name);
    assert.ok(rows.length > 0, `no row for ${name}`);
    for (const row of rows) {
      assert.equal(row.heddle.runs.length, report.repeats);
      assert.ok(row.heddle.rate !== null && Number.isFinite(row.heddle.rate.median), `${name}: no figure`);
      assert.ok(run.stdout.includes(row.size), `${name} ${row.size} is not in the table`);
    }
  }
});
