import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { WebBuildRecord } from '@heddle/server/features/web-app/build-record.ts';
import { until } from '../../server/src/testing/server/until.ts';
import { ensureWebBuild, WebBuildError, webBuildOf } from './ensure.ts';
import { makeSampleApp, type SampleApp } from './testing/sample-app.ts';

let app: SampleApp;
before(async () => {
  app = await makeSampleApp();
});
after(() => app.remove());

let begun = 0;
beforeEach(() => {
  begun = 0;
});
const onBegin = () => {
  begun += 1;
};
const ensure = () => ensureWebBuild({ root: app.root, onBegin });

const recordOf = async (directory: string): Promise<WebBuildRecord> =>
  JSON.parse(await readFile(join(directory, 'build.json'), 'utf8'));

test('the first call builds; the next one builds nothing', async () => {
  const directory = await ensure();
  assert.equal(begun, 1);
  const { files, icons } = await recordOf(directory);
  const names = Object.keys(files);
  assert(names.some((name) => /^main-[\w-]+\.js$/.test(name)) && names.some((name) => /^early-[\w-]+\.js$/.test(name)));
  for (const { file } of icons) assert(files[file] !== undefined, file);
  assert.equal(await ensure(), directory);
  assert.equal(begun, 1);
});

test('a change of a source of the app, of the client or of the packages builds again', async () => {
  const built = new Set([await ensure()]);
  const changes = {
    'web/src/main.ts': `import './base/early.ts';\ndocument.title = 'changed';\n`,
    'client/src/greeting.ts': `export const greeting: string = 'good morning';\n`,
    'api/src/types.ts': 'export type Name = string;\n',
    'package-lock.json': '{ "name": "x" }\n',
  };
  for (const [path, content] of Object.entries(changes)) {
    begun = 0;
    await app.write(path, content);
    built.add(await ensure());
    assert.equal(begun, 1, path);
  }
  assert.equal(built.size, 5);
});

test('a changed test builds nothing, and going back to earlier sources reuses their build', async () => {
  const first = await ensure();
  begun = 0;
  await app.write('web/src/main.test.ts', 'changed');
  assert.equal(await ensure(), first);
  const source = await readFile(join(app.root, 'web/src/main.ts'), 'utf8');
  await app.write('web/src/main.ts', `${source}\nexport {};\n`);
  await ensure();
  await app.write('web/src/main.ts', source);
  assert.equal(await ensure(), first);
  assert.equal(begun, 1);
  assert.equal(await realpath(join(app.root, 'web/dist/current')), first);
});

test('a failed build reports the error of the bundler, leaves nothing, and a repaired source builds', async () => {
  const source = await readFile(join(app.root, 'web/src/main.ts'), 'utf8');
  await app.write('web/src/main.ts', 'const = ;\n');
  await assert.rejects(ensure(), (error: unknown) => error instanceof WebBuildError && /main\.ts/.test(error.message));
  assert.equal(existsSync(webBuildOf(app.root)), false);
  assert.deepEqual(await unfinished(), []);
  await app.write('web/src/main.ts', source);
  await ensure();
});

test('a part of the app that the build would not find fails the build', async () => {
  const calls = [
    'lazyPart(load)',
    'lazyPart<{ readonly a: 1 }>(load)',
    "lazyPart(() => import('./a.tsx')); lazyPart(load)",
  ];
  for (const call of calls) {
    await app.write('web/src/part.ts', `${call};\n`);
    await assert.rejects(
      ensure(),
      (error: unknown) => error instanceof WebBuildError && /part\.ts/.test(error.message),
    );
  }
  await app.write('web/src/part.ts', 'export {};\n');
  await ensure();
});

test('two builds of the same sources at once give one complete build', async () => {
  await app.write('web/src/main.ts', `import './base/early.ts';\ndocument.title = 'two';\n`);
  const [one, other] = await Promise.all([ensure(), ensure()]);
  assert.equal(one, other);
  const { files } = await recordOf(one);
  for (const [name, { size }] of Object.entries(files)) {
    assert.equal((await readFile(join(one, 'files', name))).length, size, name);
  }
  assert.deepEqual(await unfinished(), []);
});

/** Kills a build. Returns false if it had ended before. */
async function killBuild(title: string): Promise<boolean> {
  await app.write('web/src/main.ts', `import './base/early.ts';\ndocument.title = '${title}';\n`);
  const directory = webBuildOf(app.root);
  const builds = dirname(directory);
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'build-web.ts'), app.root, directory]);
  const isBegun = () => existsSync(builds) && readdirSync(builds).some((name) => name.includes(`-${child.pid}`));
  await until(() => isBegun() || existsSync(directory), 'the unfinished build');
  child.kill('SIGKILL');
  await once(child, 'close');
  return !existsSync(directory);
}

test('a killed build leaves no broken build, and the next one removes what it left', async () => {
  let attempts = 0;
  // A test process that gets no processor time kills it too late.
  await until(() => {
    attempts += 1;
    return killBuild(`killed ${attempts}`);
  }, 'a build that was killed');
  assert.equal((await unfinished()).length, 1);
  await ensure();
  assert.deepEqual([begun, await unfinished()], [1, []]);
});

test('another process waits for a running build instead of repeating it', async () => {
  const directory = await ensure();
  begun = 0;
  // The build is hidden as if this process were still making it.
  const running = join(dirname(directory), `.building-${basename(directory)}-${process.pid}`);
  await rename(directory, running);
  const waiting = ensure();
  await rename(running, directory);
  assert.equal(await waiting, directory);
  assert.equal(begun, 0);
});

test('only the newest builds are kept', async () => {
  for (const number of ['1', '2', '3', '4', '5']) {
    await app.write('web/src/main.ts', `import './base/early.ts';\ndocument.title = '${number}';\n`);
    await ensure();
  }
  const kept = (await readdir(join(app.root, 'web/dist'))).filter((name) => /^[\da-f]{20}$/.test(name));
  assert.equal(kept.length, 4);
  assert(kept.includes(basename(webBuildOf(app.root))));
});

/** What builds that did not finish have left. */
async function unfinished(): Promise<readonly string[]> {
  return (await readdir(join(app.root, 'web/dist'))).filter((name) => name.startsWith('.'));
}
