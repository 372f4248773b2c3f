import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { testDatabase } from '@heddle/server/testing/database/database.ts';
import { ensureWebBuild } from '../web-build/ensure.ts';
import { buildServer } from './build.ts';

const run = promisify(execFile);

test('the npm package runs in an empty directory without the repository, with the web app', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'heddle-package-'));
  const database = await testDatabase('empty');
  t.after(async () => {
    await database.drop();
    await rm(place, { recursive: true, force: true });
  });
  const installed = join(place, 'installed');
  await mkdir(installed);
  await writeFile(join(installed, 'package.json'), '{"private":true}');
  await buildServer(join(place, 'package'), await ensureWebBuild());
  await run('npm', ['pack', '--pack-destination', place], { cwd: join(place, 'package') });
  const [archive = ''] = (await readdir(place)).filter((name) => name.endsWith('.tgz'));
  assert.match(archive, /^heddle-\d+\.\d+\.\d+\.tgz$/);
  // The tests have the packages of npm in its cache.
  const options = ['--prefer-offline', '--omit=optional', '--no-save', '--loglevel=error'];
  await run('npm', ['install', ...options, join(place, archive)], { cwd: installed });

  const program = join(installed, 'node_modules', '.bin', 'heddle');
  const environment = {
    PATH: process.env.PATH ?? '',
    HEDDLE_TIMEOUT_FACTOR: process.env.HEDDLE_TIMEOUT_FACTOR ?? '',
    HEDDLE_DATA_DIR: join(place, 'data'),
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_PORT: '0',
  };
  const help = await run(process.execPath, [program, '--help'], { env: environment });
  assert.match(help.stdout, /^Usage: heddle /);
  await writeFile(join(place, 'older.mjs'), "Object.defineProperty(process.versions, 'node', { value: '22.1.0' });");
  const older = run(process.execPath, ['--import', join(place, 'older.mjs'), program, '--help'], { env: environment });
  await assert.rejects(older, /Heddle needs Node\.js 24 or newer/);
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: place,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let url: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    url = /^Heddle is listening on (\S+)/.exec(line)?.[1];
    if (url !== undefined) break;
  }
  assert(url !== undefined, 'the server did not start');
  assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  assert.equal((await (await fetch(`${url}/api/v1/server_settings`)).json()).realm_name, 'Heddle');
  const login = await fetch(`${url}/login/`, { headers: { 'accept-language': 'de' } });
  assert.match(await login.text(), /<html lang="de"/, 'the translations are missing');
  const manifest = await (await fetch(`${url}/manifest.webmanifest`)).json();
  const [icon] = manifest.icons;
  assert.equal((await fetch(url + icon.src)).status, 200, 'the web app is missing');
  const emoji = await fetch(`${url}/static/generated/emoji/images/emoji/unicode/zulip.png`);
  const source = await readFile('server/src/domain/texts/emoji/extra-emoji.png');
  assert.deepEqual(Buffer.from(await emoji.arrayBuffer()), source, 'a file of the server is missing');
  const samples = 'server/src/features/incoming-webhooks/integrations/github/payloads/push.json';
  const packed = join(installed, 'node_modules', 'heddle', samples);
  assert.equal(await readFile(packed, 'utf8'), await readFile(samples, 'utf8'), 'a recorded request is missing');
  child.kill('SIGTERM');
  const [code] = await ended;
  assert.equal(code, 0);
});
