import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTestWaits } from './test-waits.ts';

const lines = (text: string, path = 'server/src/log/bus.test.ts') =>
  checkTestWaits([{ path, text }]).map(({ line }) => line);

test('tests do not sleep', () => {
  for (const text of [
    "import { setTimeout as delay } from 'node:timers/promises';",
    'await new Promise((resolve) => setTimeout(resolve, 100));',
    'await page.waitForTimeout(100);',
  ])
    assert.deepEqual(lines(text), [1], text);
  assert.deepEqual(lines("t.mock.timers.enable({ apis: ['setTimeout'] });"), []);
});

test('tests have no loop that waits without a limit', () => {
  for (const text of [
    'for (;;) { work(); }',
    'for (let count = 0; ; count += 1) await work();',
    'while (true) work();',
    'while (!(await isDone()));',
    'while (!isDone) { if (a) { b(); } await nextTurn(); }',
    'while (events.length < 3) events.push(...(await queue.next()));',
    'do { await work(); } while (!isDone);',
  ])
    assert.deepEqual(lines(text), [1], text);
  for (const text of [
    'for (let count = 0; count < 3; count += 1) await work();',
    'for await (const line of lines) read(line);',
    'for (const one of all) await one;',
    'while (left > 0) left -= 1;\nawait work();',
    'const one = { do: 1 }; await one.do;',
  ])
    assert.deepEqual(lines(text), [], text);
});

test('tests of the app do not wait for a promise inside of the page', () => {
  assert.deepEqual(lines('await page.waitForFunction(\n  async () => (await caches.keys()).length > 0,\n);'), [1]);
  assert.deepEqual(lines('await page.waitForFunction(() => document.images.length > 0);'), []);
});

test('tests of the app do not compare what a page shows at one instant', () => {
  for (const text of [
    "assert.equal(await box.inputValue(), '');",
    "assert.equal(await page.getByRole('link', { name: /^Bo, .*/ }).count(), 0, 'closed');",
    "assert.deepEqual(await page.locator('h2').nth(1).allTextContents(), ['a']);",
    "assert.equal(await link.getAttribute('href'), url);",
  ])
    assert.deepEqual(lines(text, 'web/src/feed/live.browser.test.ts'), [1], text);
  for (const text of [
    "await untilEqual(() => box.inputValue(), '');",
    'assert.equal(requests.count(), 2);',
    'assert.equal((await queue.poll()).length, 2);',
  ])
    assert.deepEqual(lines(text, 'web/src/feed/live.browser.test.ts'), [], text);
});

test('tests measure no time, except in benchmarks', () => {
  for (const text of [
    'const before = performance.now();',
    'process.hrtime.bigint();',
    'process.threadCpuUsage();',
    'assert(Date.now() - before < 100);',
    'assert(Math.abs(timestamp - Date.now() / 1000) < 60);',
  ]) {
    assert.deepEqual(lines(text), [1], text);
    assert.deepEqual(lines(text, 'bench/src/growth/growth.test.ts'), [], text);
  }
  for (const text of [
    'const past = Date.now() - 60_000;',
    'const past = new Date(Date.now() - days * 86_400_000);',
    "t.mock.method(performance, 'now', () => now);",
  ])
    assert.deepEqual(lines(text), [], text);
});

test('a comment with a reason allows it on its line or the next one', () => {
  assert.deepEqual(lines('for (;;) yield part; // timing: an endless body'), []);
  assert.deepEqual(lines('// timing: an endless body\nfor (;;) yield part;'), []);
  assert.deepEqual(lines('// timing:\nfor (;;) yield part;'), [2]);
});

test('helpers of tests are checked, other files are not', () => {
  const text = 'setTimeout(work, 10);';
  assert.deepEqual(lines(text, 'client/testing/gated-fetch.ts'), [1]);
  assert.deepEqual(lines(text, 'web/src/app/boot.ts'), []);
  assert.deepEqual(lines(text, 'server/src/testing/server/until.ts'), []);
});
