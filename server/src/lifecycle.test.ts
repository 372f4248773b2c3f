import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { LifeOptions } from './lifecycle.ts';

const lifecycle = new URL('./lifecycle.ts', import.meta.url).href;

/** Starts a process that runs `body`, which can use `life` and `say`. */
function spawnLife(
  body: string,
  options: Omit<LifeOptions, 'log' | 'host'> = {},
): { child: ChildProcess; lines: AsyncIterator<string> } {
  const program = `
    import { pino } from 'pino';
    import { liveUntilStopped } from '${lifecycle}';
    const say = (text) => process.stdout.write(text + '\\n');
    // Keeps the process alive, as a server's socket would.
    const held = setInterval(() => {}, 1000);
    const options = { log: pino({ enabled: false }), host: process, ...${JSON.stringify(options)} };
    try {
      const code = await liveUntilStopped(options, async (life) => { ${body} });
      say('code ' + code);
    } catch (error) {
      say('threw ' + error.message);
    }
    clearInterval(held);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.ok(child.stdout);
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

async function rest(lines: AsyncIterator<string>): Promise<string[]> {
  const all: string[] = [];
  for (let line = await lines.next(); !line.done; line = await lines.next()) all.push(line.value);
  return all;
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} undoes everything in reverse order and exits with code 0`, async () => {
    const { child, lines } = spawnLife(`
      life.onStop('first', async () => say('first undone'));
      life.onStop('second', async () => say('second undone'));
      say('up');`);
    assert.equal((await lines.next()).value, 'up');
    child.kill(signal);
    assert.deepEqual(await rest(lines), ['second undone', 'first undone', 'code 0']);
  });
}

test('the same signal twice within a short time, as npm and the terminal send it, is one request', async () => {
  const body = `
    life.onStop('slow', async () => {
      say('stopping');
      await new Promise((resolve) => process.once('SIGINT', resolve));
      say('undone');
    });
    say('up');`;
  const { child, lines } = spawnLife(body, { sameRequestMilliseconds: 60_000 });
  assert.equal((await lines.next()).value, 'up');
  child.kill('SIGINT');
  assert.equal((await lines.next()).value, 'stopping');
  child.kill('SIGINT');
  assert.deepEqual(await rest(lines), ['undone', 'code 0']);
});

test('a second signal ends the process at once', async () => {
  const body = `
    life.onStop('stuck', () => {
      say('stuck');
      return new Promise(() => {});
    });
    say('up');`;
  const { child, lines } = spawnLife(body, { sameRequestMilliseconds: 0 });
  assert.equal((await lines.next()).value, 'up');
  child.kill('SIGTERM');
  assert.equal((await lines.next()).value, 'stuck');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [143, null]);
});

test('a stop that takes too long is aborted with code 1', async () => {
  const { child, lines } = spawnLife(`life.onStop('stuck', () => new Promise(() => {})); say('up');`, {
    stopWithinMilliseconds: 50,
  });
  assert.equal((await lines.next()).value, 'up');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [1, null]);
});

test('a failure to stop does not prevent the other stops, and the exit code is 1', async () => {
  const { child, lines } = spawnLife(`
    life.onStop('good', async () => say('good undone'));
    life.onStop('bad', async () => { throw new Error('no'); });
    say('up');`);
  assert.equal((await lines.next()).value, 'up');
  child.kill('SIGTERM');
  assert.deepEqual(await rest(lines), ['good undone', 'code 1']);
});

test('a failed start is undone, and its error is thrown', async () => {
  const { lines } = spawnLife(`life.onStop('first', async () => say('first undone')); throw new Error('no disk');`);
  assert.deepEqual(await rest(lines), ['first undone', 'threw no disk']);
});

test('a signal during the start aborts it at its next step', async () => {
  const { child, lines } = spawnLife(`
    life.onStop('first', async () => say('first undone'));
    const aborted = new Promise((resolve) => life.stopping.addEventListener('abort', resolve));
    say('starting');
    await aborted;
    life.stopping.throwIfAborted();
    say('went on');`);
  assert.equal((await lines.next()).value, 'starting');
  child.kill('SIGTERM');
  assert.deepEqual(await rest(lines), ['first undone', 'code 0']);
});

test('an uncaught exception or rejection ends the process with code 1', async () => {
  for (const failure of [`setTimeout(() => { throw new Error('lost'); })`, `Promise.reject(new Error('lost'))`]) {
    const { child } = spawnLife(`${failure};`);
    assert.deepEqual(await once(child, 'exit'), [1, null], failure);
  }
});
