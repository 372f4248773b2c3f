import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { test } from 'node:test';
import { MAX_FILES_PER_PROCESS, selectTests } from './test-selection.ts';

const all = { isDatabaseOnly: false, filters: [], concurrency: 4 };

test('every test file runs once, and a process has a maximum number of files', async () => {
  const processes = await selectTests(all);
  const files = await Array.fromAsync(
    glob('{api,client,embedded-postgres,server,web,bench,scripts}/**/*.test.ts', { exclude: ['**/node_modules'] }),
  );
  processes.push(...(await selectTests({ ...all, isWeb: true })));
  assert.deepEqual(processes.flat().toSorted(), files.toSorted());
  assert(files.length > 200, `only ${files.length} are found`);
  for (const process of processes) assert(process.length <= MAX_FILES_PER_PROCESS);
});

test('tests that need a separate process have one, regardless of the selection', async () => {
  const alone = 'server/src/idle-memory.test.ts';
  for (const filters of [[], ['idle-memory', 'saved-snippets']]) {
    const processes = await selectTests({ ...all, filters });
    assert(processes.some((files) => files.length === 1 && files[0] === alone));
  }
});

test('parts of paths select files, which are distributed over the concurrent processes', async () => {
  const snippets = 'server/src/features/saved-snippets/saved-snippets.test.ts';
  assert.deepEqual(await selectTests({ ...all, filters: ['saved-snippets'] }), [[snippets]]);
  const processes = await selectTests({ ...all, filters: ['domain/history/'] });
  assert(processes.length > 1 && processes.length <= all.concurrency);
  assert(processes.flat().every((path) => path.includes('domain/history/')));
  assert.deepEqual(await selectTests({ ...all, filters: ['no such file'] }), []);
});

test('for another PostgreSQL only tests of folders with SQL run, without those that start programs', async () => {
  const files = new Set((await selectTests({ ...all, isDatabaseOnly: true })).flat());
  const runs = (path: string) => files.has(`server/src/${path}.test.ts`);
  assert(runs('features/saved-snippets/saved-snippets') && runs('log/append'));
  assert(
    !runs('faults') &&
      !runs('commands/serve') &&
      !runs('features/authentication/login-pages') &&
      !files.has('embedded-postgres/src/start.test.ts'),
  );
});

test('browser tests of the web app run only with their own command', async () => {
  const ordinary = (await selectTests(all)).flat();
  assert(ordinary.every((path) => !path.endsWith('.browser.test.ts')));
  const browser = (await selectTests({ ...all, isWeb: true })).flat();
  assert(browser.length > 0 && browser.every((path) => path.startsWith('web/') && path.endsWith('.browser.test.ts')));
});
