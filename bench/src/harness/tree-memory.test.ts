import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProgram } from './programs.ts';
import { treeMemory } from './tree-memory.ts';

const MEGABYTE = 1024 * 1024;

/** Holds 64 MB, and starts a process that holds 32 MB as long as its parent runs. */
const program = `
  const { spawn } = require('node:child_process');
  globalThis.kept = Buffer.alloc(64 * ${MEGABYTE}, 1);
  const inner = "globalThis.kept = Buffer.alloc(32 * ${MEGABYTE}, 1); process.stdin.resume(); console.log('holding')";
  spawn(process.execPath, ['--eval', inner], { stdio: ['pipe', 'inherit', 'inherit'] });`;

test('the memory of a tree of processes is that of each process, the largest first', async (t) => {
  const started = await startProgram({ command: process.execPath, arguments: ['--eval', program], ready: /^holding/ });
  t.after(() => started.stop());
  const [outer, inner, ...others] = await treeMemory(started.pid);
  assert.ok(outer !== undefined && inner !== undefined);
  assert.deepEqual(others, []);
  assert.equal(outer.pid, started.pid);
  for (const [held, memory] of [
    [64, outer],
    [32, inner],
  ] as const) {
    const { bytes, anonymousBytes, fileBytes, sharedBytes, name } = memory;
    assert.match(name, /^node/);
    assert.equal(bytes, anonymousBytes + fileBytes + sharedBytes);
    assert.ok(anonymousBytes >= held * MEGABYTE && anonymousBytes < (held + 32) * MEGABYTE, `${anonymousBytes}`);
    assert.ok(fileBytes > MEGABYTE);
  }
});
