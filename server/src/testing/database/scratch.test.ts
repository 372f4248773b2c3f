import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeScratch, removeScratch } from './scratch.ts';

test('a run removes leftovers of killed runs, and nothing of running ones', (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'heddle-scratch-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const [killed, running, others] = [`heddle-run-${ended}-a`, `heddle-run-${process.pid}-b`, 'another'];
  for (const name of [killed, running, others]) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'file'), '');
  }
  const made = makeScratch(parent);
  assert.deepEqual(
    [killed, running, others].map((name) => existsSync(join(parent, name, 'file'))),
    [false, true, true],
  );
  removeScratch(made);
  assert.equal(existsSync(made), false);
});
