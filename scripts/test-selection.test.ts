import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { test } from 'node:test';
import { MAX_FILES_PER_PROCESS, type Selection, selectTests } from './test-selection.ts';

const all: Selection = { isDatabaseOnly: false, filters: [], concurrency: 4 };

async function processesOf(selection: Selection) {
  const { together, aboutTimeouts } = await selectTests(selection);
  return [...together, ...aboutTimeouts];
}

async function filesOf(selection: Selection): Promise<string[]> {
  return (await processesOf(selection)).flat();
}

test('every test file runs once, and a process has a maximum number of files', async () => {
  const processes = [...(await processesOf(all)), ...(await processesOf({ ...all, isWeb: true }))];
  const files = await Array.fromAsync(
    glob('{api,client,embedded-postgres,operator,server,web,bench,chaos,scripts}/**/*.test.ts', {
      exclude: ['**/node_modules'],
    }),
  );
  assert.deepEqual(processes.flat().toSorted(), files.toSorted());
  assert(files.length > 200, `only ${files.length} are found`);
  for (const process of processes) assert(process.length <= MAX_FILES_PER_PROCESS);
});

test('tests that need a separate process have one, regardless of the selection', async () => {
  const alone = 'server/src/idle-memory.test.ts';
  for (const filters of [[], ['idle-memory', 'saved-snippets']]) {
    const processes = await processesOf({ ...all, filters });
    assert(processes.some((files) => files.length === 1 && files[0] === alone));
  }
});

test('tests about timeouts have a process of their own, which runs without others', async () => {
  const { together, aboutTimeouts } = await selectTests(all);
  assert(aboutTimeouts.length > 0 && aboutTimeouts.every((files) => files.length === 1));
  const paused = 'server/src/paused.test.ts';
  assert(aboutTimeouts.flat().includes(paused) && !together.flat().includes(paused));
});

test('parts of paths select files, which are distributed over the concurrent processes', async () => {
  const snippets = 'server/src/features/saved-snippets/saved-snippets.test.ts';
  assert.deepEqual(await processesOf({ ...all, filters: ['saved-snippets'] }), [[snippets]]);
  const processes = await processesOf({ ...all, filters: ['domain/reading/history/'] });
  assert(processes.length > 1 && processes.length <= all.concurrency);
  assert(processes.flat().every((path) => path.includes('domain/reading/history/')));
  assert.deepEqual(await processesOf({ ...all, filters: ['no such file'] }), []);
});

test('a list of files limits the selection', async () => {
  const among = ['server/src/config.test.ts', 'server/src/no-such.test.ts'];
  assert.deepEqual(await filesOf({ ...all, among }), ['server/src/config.test.ts']);
  assert.deepEqual(await filesOf({ ...all, among: [] }), []);
});

test('a seed determines a random order of the same files', async () => {
  const ordered = await filesOf(all);
  const first = await filesOf({ ...all, seed: 1 });
  assert.deepEqual(await filesOf({ ...all, seed: 1 }), first);
  assert.notDeepEqual(await filesOf({ ...all, seed: 2 }), first);
  assert.deepEqual(first.toSorted(), ordered.toSorted());
});

test('for another PostgreSQL only tests of folders with SQL run, without those that start programs', async () => {
  const files = new Set(await filesOf({ ...all, isDatabaseOnly: true }));
  const runs = (path: string) => files.has(`server/src/${path}.test.ts`);
  assert(runs('features/saved-snippets/saved-snippets') && runs('log/append'));
  assert(
    !runs('faults') &&
      !files.has('operator/src/commands/serve.test.ts') &&
      !runs('features/authentication/login-pages') &&
      !files.has('embedded-postgres/src/start.test.ts'),
  );
});

test('a sample always has the tests of SQL that may differ, and other commits have other files of the rest', async () => {
  const whole = await filesOf({ ...all, isDatabaseOnly: true });
  const samples: string[][] = [];
  for (const sample of ['a', 'b', 'c']) samples.push(await filesOf({ ...all, isDatabaseOnly: true, sample }));
  for (const files of samples) {
    assert(files.includes('server/src/log/append.test.ts') && files.length < whole.length / 2);
    assert(files.every((path) => whole.includes(path)));
  }
  assert.notDeepEqual(samples[0], samples[1]);
  assert.notDeepEqual(samples[1], samples[2]);
});

test('browser tests of the web app run only with their own command', async () => {
  const ordinary = await filesOf(all);
  assert(ordinary.every((path) => !path.endsWith('.browser.test.ts')));
  const browser = await filesOf({ ...all, isWeb: true });
  assert(browser.length > 0 && browser.every((path) => path.startsWith('web/') && path.endsWith('.browser.test.ts')));
});
