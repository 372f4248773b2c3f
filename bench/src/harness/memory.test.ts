import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heapOf, residentBytes } from './memory.ts';
import { startProgram } from './programs.ts';

const MEGABYTE = 1024 * 1024;

/** Prints a line once it holds one megabyte for each of `held`, and has dropped as much again. */
function holder(held: number): string {
  return `
    const fill = () => Array.from({ length: ${held} }, () => Buffer.alloc(${MEGABYTE}, 1));
    globalThis.kept = fill();
    fill();
    setInterval(() => {}, 1000);
    console.log('holding');`;
}

test('the inspector measures live memory without garbage', async () => {
  const sizes: number[] = [];
  for (const held of [0, 64]) {
    const program = await startProgram({
      command: process.execPath,
      arguments: ['--inspect=127.0.0.1:0', '--eval', holder(held)],
      ready: /^holding/,
    });
    const heap = await heapOf(program);
    assert.ok(heap.residentBytes >= held * MEGABYTE);
    assert.ok((await residentBytes(program.pid)) >= held * MEGABYTE);
    sizes.push(heap.liveBytes);
    await program.stop();
  }
  const [none, some] = sizes;
  assert.ok(none !== undefined && some !== undefined);
  assert.ok(some - none >= 64 * MEGABYTE && some - none < 72 * MEGABYTE, `${some - none}`);
});
