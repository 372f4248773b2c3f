import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { Visitor } from '@heddle/server/testing/clients/visitor.ts';
import { testDatabase } from '@heddle/server/testing/database/database.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { ensureWebBuild, webBuildOf } from './web-build/ensure.ts';
import { makeSampleApp, type SampleApp } from './web-build/testing/sample-app.ts';

const PASSWORD = 'correct horse battery';
const script = join(import.meta.dirname, 'start.ts');

let app: SampleApp;
let environment: Readonly<Record<string, string>>;
const settled: (() => Promise<void>)[] = [];
before(async () => {
  const [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase('empty')]);
  app = await makeSampleApp();
  settled.push(app.remove, () => data.remove(), database.drop);
  environment = {
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_OWNER_PASSWORD: PASSWORD,
    HEDDLE_PORT: '0',
    HEDDLE_LOG_LEVEL: 'error',
  };
});
after(async () => {
  for (const tidy of settled) await tidy();
});

/** Runs `npm start` for the sample app. */
function spawnStart() {
  const { PATH = '', HOME = '', TMPDIR = '', NODE_COMPILE_CACHE = '' } = process.env;
  const code = `import { start } from ${JSON.stringify(script)}; await start(${JSON.stringify(app.root)}, []);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  return { child, ended: once(child, 'close'), err: () => err };
}

/** Runs it until the server listens, lets `act` use the server, and stops it. Returns what it wrote to standard error. */
async function withStarted(act: (url: string) => Promise<void>): Promise<string> {
  const { child, ended, err } = spawnStart();
  try {
    let url = '';
    for await (const line of createInterface(child.stdout)) {
      url = /^Heddle is listening on (\S+)/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
    assert.notEqual(url, '', err());
    await act(url.replace('127.0.0.1', 'localhost'));
  } finally {
    child.kill();
    await ended;
  }
  assert.equal(child.exitCode, 0, err());
  return err();
}

async function openAsOwner(url: string) {
  const visitor = new Visitor(url);
  await visitor.logIn('owner@localhost', PASSWORD);
  return visitor.get('/');
}

test('the first start builds the app, and an unchanged start builds nothing', async () => {
  const first = await withStarted(async (url) => {
    const { status, text } = await openAsOwner(url);
    assert.deepEqual([status, /<title>Heddle<\/title>/.test(text)], [200, true]);
  });
  assert.match(first, /^Building the web app…\nThe web app is built \(\d+\.\d s\)\.\n$/);
  const second = await withStarted(async (url) => assert.equal((await openAsOwner(url)).status, 200));
  assert.equal(second, '');
});

test('a failed build prints the error; the server starts, and its page says what is missing', async () => {
  await app.write('web/src/main.ts', 'const = ;\n');
  const told = await withStarted(async (url) => {
    const { status, text } = await openAsOwner(url);
    assert.deepEqual([status, /The web app of this server is not built/.test(text)], [503, true]);
    assert.equal((await fetch(`${url}/api/v1/server_settings`)).status, 200);
  });
  assert.match(told, /main\.ts/);
  assert.match(told, /The web app could not be built\. The server starts without it\.\n$/);
});

/** Sends a signal to `npm start` while it builds. Returns how that ended; undefined if the build had ended before. */
async function interruptBuild(title: string) {
  await app.write('web/src/main.ts', `import './base/early.ts';\ndocument.title = '${title}';\n`);
  const { child, ended, err } = spawnStart();
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  await once(child.stderr, 'data');
  child.kill('SIGTERM');
  await ended;
  return err().includes('The web app is built') ? undefined : [child.signalCode, out, err()];
}

test('a signal during the build ends the build and starts no server', async () => {
  let attempts = 0;
  // A test process that gets no processor time sends it too late.
  const end = await until(() => {
    attempts += 1;
    return interruptBuild(`interrupted ${attempts}`);
  }, 'a signal during the build');
  assert.deepEqual(end, ['SIGTERM', '', 'Building the web app…\n']);
  assert.equal(existsSync(webBuildOf(app.root)), false);
  // The interrupted build has left at most a directory that the next build removes.
  await ensureWebBuild({ root: app.root });
  const left = (await readdir(join(app.root, 'web/dist'))).filter((name) => name.startsWith('.'));
  assert.deepEqual(left, []);
});
