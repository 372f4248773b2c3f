import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { waitLimitMs } from '@heddle/server/testing/server/until.ts';
import { limitsFor } from './test-speed.ts';
import { stress } from './test-stress.ts';
import { describeFailures, type SuiteResult } from './test-suite.ts';

let directory = '';
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-suite-'));
});
after(() => rm(directory, { recursive: true }));

/** Writes a test file. Returns its path. */
async function file(name: string, body: string): Promise<string> {
  const path = join(directory, `${name}.test.mjs`);
  const imports = `import assert from 'node:assert/strict';\nimport { existsSync, writeFileSync } from 'node:fs';\nimport { describe, test } from 'node:test';\n`;
  await writeFile(path, imports + body);
  return path;
}

/** Runs files in processes, as a run of all tests does. It needs a process of its own, because a test cannot run others. */
async function suiteOf(
  together: readonly (readonly string[])[],
  noProgressLimitMs = 600_000,
): Promise<SuiteResult & { readonly printed: string }> {
  const result = join(directory, 'result.json');
  const limits = { ...limitsFor(1), noProgressLimitMs };
  const script = `
    import { writeFileSync } from 'node:fs';
    import { runSuite } from ${JSON.stringify(join(import.meta.dirname, 'test-suite.ts'))};
    const options = { limits: ${JSON.stringify(limits)}, signal: new AbortController().signal, environment: {}, concurrency: 2 };
    const { failures, ...more } = await runSuite({ together: ${JSON.stringify(together)}, aboutTimeouts: [] }, options);
    writeFileSync(${JSON.stringify(result)}, JSON.stringify({ ...more, failures: [...failures] }));`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const path = join(directory, 'run.mjs');
  await writeFile(path, script);
  const { stdout } = await promisify(execFile)(process.execPath, [path], { env });
  const { failures, ...more } = JSON.parse(await readFile(result, 'utf8'));
  return { ...more, failures: new Map(failures), printed: stdout };
}

const PASSING = `test('passes', () => {}); test('is skipped', { skip: true }, () => {});\n`;

test('a run counts tests of all files, and names those that fail with their file', async () => {
  const passing = await file('passing', PASSING);
  const failing = await file(
    'failing',
    `describe('a group', () => { test('fails', () => assert.fail()); test('passes', () => {}); });\n`,
  );
  const result = await suiteOf([[passing, failing]]);
  assert.equal(result.skipped, 1);
  assert(result.failed > 0);
  assert.deepEqual([...result.failures.keys()], [failing]);
  assert(result.failures.get(failing)?.includes('fails'));
  assert.deepEqual(result.flaky, []);
  assert.match(describeFailures(result), /^FAILED: .*failing\.test\.mjs\n/);
});

test('the error of a failed test is printed before the next tests run, so that an interrupted run tells what failed', async () => {
  const failing = await file('early', `test('fails early', () => assert.fail('the reason'));\n`);
  const later = await file('later', `test('passes later', () => {});\n`);
  const { printed } = await suiteOf([[failing, later]]);
  assert.match(printed, /Failed: fails early\nAssertionError \[ERR_ASSERTION\]: the reason[\s\S]*passes later/);
});

test('a file that fails once and then passes alone is flaky, and the run still fails', async () => {
  const mark = JSON.stringify(join(directory, 'mark'));
  const flaky = await file(
    'flaky',
    `test('fails once', () => { const is = existsSync(${mark}); writeFileSync(${mark}, ''); assert(is); });\n`,
  );
  const result = await suiteOf([[flaky]]);
  assert(result.failed > 0);
  assert.deepEqual(result.flaky, [flaky]);
  assert.match(describeFailures(result), /^FLAKY .*flaky\.test\.mjs\n {2}fails once/);
});

test('an error that no test caught counts for the file whose tests were running, with its text', async () => {
  const before = await file('before', PASSING);
  const throwing = await file(
    'throwing',
    `test('waits', async () => {
      setTimeout(() => { throw new Error('torn'); }, 1);
      await new Promise((resolve) => setTimeout(resolve, 50));
    });\n`,
  );
  const after = await file(
    'after',
    `test('passes later', () => new Promise((resolve) => setTimeout(resolve, 200)));\n`,
  );
  const result = await suiteOf([[before, throwing, after]]);
  assert.deepEqual([...result.failures.keys()], [throwing]);
  assert.match(result.failures.get(throwing)?.join() ?? '', /uncaught: Error: torn/);
});

test('a long timer that runs on is named with the line that set it, and a cleared one is not', () => {
  const script = `
    import { longTimersLeft, noteLongTimers } from ${JSON.stringify(join(import.meta.dirname, 'long-timers.ts'))};
    noteLongTimers();
    const cleared = setTimeout(() => undefined, 60_000);
    clearTimeout(cleared);
    setInterval(() => undefined, 60_000).unref();
    setTimeout(() => undefined, 10);
    function leaks() { return setTimeout(() => undefined, 60_000); }
    const leaked = leaks();
    console.log(JSON.stringify(longTimersLeft()));
    clearTimeout(leaked);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  const [left, ...others] = JSON.parse(stdout);
  assert.match(left, /leaks/);
  assert.deepEqual(others, []);
});

test('a process that ends early fails with all files that it has not finished', async () => {
  const passing = await file('first', PASSING);
  const ending = await file('ending', `test('ends the process', () => process.exit(3));\n`);
  const unreached = await file('unreached', PASSING);
  const result = await suiteOf([[passing, ending, unreached]]);
  assert(result.failed > 0);
  assert(result.failures.has(ending));
  assert.deepEqual(result.flaky.includes(ending), false);
});

test('a process in which no test ends is killed, even if it computes for ever, and the others run to their end', async () => {
  const hanging = await file('hanging', `test('computes for ever', () => { for (;;); });\n`);
  const passing = await file('beside', PASSING);
  // The other process must begin and end its test within this time, on a busy machine, too.
  const result = await suiteOf([[hanging], [passing]], 10_000);
  assert.deepEqual([...result.failures.keys()], [hanging]);
  assert(result.passed > 0);
});

test('the limits of a run grow with the time that the machine takes for the same work', () => {
  const [fast, usual, slow] = [limitsFor(0.5), limitsFor(1), limitsFor(4)];
  assert.deepEqual(fast, usual);
  assert.equal(slow.timeoutFactor, 4 * usual.timeoutFactor);
  assert.equal(slow.noProgressLimitMs, 4 * usual.noProgressLimitMs);
});

test('a wait that fails ends before its process counts as hanging, on a machine of any speed', () => {
  for (const slowness of [0.5, 1, 1.01, 1.1, 2.05, 4, 9.99, 30]) {
    const { timeoutFactor, noProgressLimitMs } = limitsFor(slowness);
    assert(waitLimitMs(timeoutFactor) < noProgressLimitMs, `${slowness} times slower`);
  }
});

test('a stressed run lists what failed in any of its runs, and every run has another seed', async () => {
  const seeds: number[] = [];
  const passed = { passed: 1, failed: 0, skipped: 0, failures: new Map(), durations: new Map(), flaky: [] };
  const failed = { ...passed, failed: 1, failures: new Map([['a.test.ts', ['a test']]]) };
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const isGood = await stress({ runs: 3, busy: 1, seed: 7, print }, async (seed) => {
    seeds.push(seed);
    return seed === 8 ? failed : passed;
  });
  assert.deepEqual(seeds, [7, 8, 9]);
  assert.equal(isGood, false);
  assert.match(printed.at(-1) ?? '', /run 2, seed 8: .*\n[\s\S]*FAILED: a\.test\.ts\n {2}a test/);
  assert.equal(await stress({ runs: 1, busy: 1, print }, async () => passed), true);
});
