import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const room = new URL('./idle-memory.ts', import.meta.url).href;

test('an idle process returns the memory that it allocated before, and lets others return what they keep', async () => {
  const program = `
    import { giveMemoryBackWhenIdle } from '${room}';
    let kept = [];
    for (let n = 0; n < 2_000_000; n++) kept.push({ n });
    kept = undefined;
    const before = process.memoryUsage().heapTotal;
    let isOutside = true;
    giveMemoryBackWhenIdle(() => { isOutside = false; }, 20);
    const waiting = setInterval(() => {
      if (process.memoryUsage().heapTotal > before / 2 || isOutside) return;
      clearInterval(waiting);
      console.log('given back');
    }, 20);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.equal(await text(child.stdout), 'given back\n');
});
