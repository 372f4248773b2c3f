/** A server whose database cannot write or is gone: what its clients can still do, and what it logs for the operator. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { killCluster } from '@heddle/embedded-postgres/testing/fixture.ts';
import { fill, fillExcept, smallDisk } from '@heddle/embedded-postgres/testing/small-disk.ts';
import pg from 'pg';
import { testDatabase } from './testing/database/database.ts';
import { runHeddle, startHeddle } from './testing/faults/heddle-process.ts';
import { startStallingProxy } from './testing/faults/stalling-proxy.ts';
import { type Random, randomOf } from './testing/random/random.ts';
import { startServe } from './testing/server/command-line.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';

const password = 'analytical engine';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly reason?: string;
  readonly code?: string;
  readonly err?: object;
}

/** The log lines of the server since its start. Can wait for a line with a given message. */
class ServerLog {
  readonly lines: Line[] = [];
  readonly #input: Interface;

  constructor(log: Readable) {
    this.#input = createInterface(log);
    this.#input.on('line', (line) => this.lines.push(JSON.parse(line)));
  }

  async says(message: string, times = 1): Promise<void> {
    await until(() => this.has(message, times), `${times} lines "${message}" in the log`);
  }

  has(message: string, times = 1): boolean {
    return this.lines.filter(({ msg }) => msg === message).length >= times;
  }

  /** All lines above level `info`: those of the outage, and any unexpected ones. */
  get outage(): readonly (readonly unknown[])[] {
    return this.lines.filter(({ level }) => level !== 'info').map(({ level, msg, code }) => [level, msg, code]);
  }
}

interface Sent {
  readonly status: number;
  readonly msg?: string;
}

async function ownerOf(server: { readonly url: string }) {
  const body = new URLSearchParams({ username: 'owner@localhost', password });
  const answer = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body });
  const { api_key: key } = await answer.json();
  const headers = { authorization: `Basic ${btoa(`owner@localhost:${key}`)}` };
  return {
    send: async (content: string): Promise<Sent> => {
      const fields = { type: 'direct', to: '["owner@localhost"]', content };
      const init = { method: 'POST', headers, body: new URLSearchParams(fields) };
      const answer = await fetch(`${server.url}/api/v1/messages`, init);
      const { msg } = await answer.json();
      return { status: answer.status, msg };
    },
    register: async (): Promise<number> => {
      return (await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers })).status;
    },
    read: async (): Promise<number> => {
      const query = 'anchor=newest&num_before=5&num_after=0';
      return (await fetch(`${server.url}/api/v1/messages?${query}`, { headers })).status;
    },
  };
}

/** A server with the embedded PostgreSQL has a process of its own. */
async function serverOn(t: TestContext, environment: Readonly<Record<string, string>>) {
  const settings = {
    HEDDLE_OWNER_PASSWORD: password,
    HEDDLE_RATE_LIMITS: 'off',
    // On a busy machine, each request can be slow, which is another warning.
    HEDDLE_SLOW_REQUEST_MS: '600000',
    ...environment,
  };
  if (environment.HEDDLE_DATABASE_URL !== undefined) {
    const server = await startServe(settings);
    t.after(() => server.stop());
    return { log: new ServerLog(server.err), owner: await ownerOf(server) };
  }
  const server = await startHeddle(settings);
  t.after(() => server.stop());
  return { log: new ServerLog(server.child.stderr as Readable), owner: await ownerOf(server) };
}

/** More than fit on the disks of these tests. */
const MAX_SENDS = 50_000;

/** Sends messages until one is refused. The text does not compress, so that the table needs space. */
async function sendUntilRefused(send: (content: string) => Promise<Sent>, random: Random): Promise<Sent> {
  for (let count = 0; count < MAX_SENDS; count += 1) {
    const text = Array.from({ length: 600 }, () => random.below(1).toString(36)).join('');
    const sent = await send(text.slice(0, 6_000));
    if (sent.status !== 200) return sent;
  }
  return assert.fail(`the disk is not full after ${MAX_SENDS} messages`);
}

test('a program that fills the disk during sends stops changes, with a reason; reads go on, and changes return with the space', async (t) => {
  const random = randomOf(t);
  const disk = smallDisk(t, 600);
  if (disk === null) return;
  const data = join(disk, 'data');
  const { log, owner } = await serverOn(t, { HEDDLE_DATA_DIR: data });
  assert.equal((await owner.send('before')).status, 200);
  const reserve = join(data, 'postgres', 'reserve');
  await until(() => (statSync(reserve, { throwIfNoEntry: false })?.size ?? 0) > 30_000_000, 'the reserve');
  // Several senders keep changes on their way at every moment.
  const sending = Promise.all(Array.from({ length: 6 }, () => sendUntilRefused(owner.send, random)));
  const ballast = join(disk, 'ballast');
  const filler = spawn('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M'], { stdio: 'ignore' });
  for (const refusal of await sending) {
    assert.equal(refusal.status, 503);
    assert.match(refusal.msg ?? '', /disk of the server is full.*reading still works/);
  }
  await log.says('the disk is almost full: changes are refused until there is space');
  if (filler.exitCode === null) await once(filler, 'exit');
  // PostgreSQL may have removed files after the program had failed. Then another program takes their space.
  const released = 'the reserve of the disk is released';
  await until(() => {
    if (log.has(released)) return true;
    fillExcept(join(disk, 'rest'), 4 * 1024 * 1024);
    return false;
  }, `a line "${released}" in the log`);
  const reads = Array.from({ length: 40 }, () => owner.read());
  assert.deepEqual(new Set(await Promise.all(reads)), new Set([200]));
  assert.equal(await owner.register(), 200);
  // A second program takes the reserve as well.
  fill(join(disk, 'more-ballast'));
  assert.equal(await owner.read(), 200);
  assert.equal((await owner.send('refused')).status, 503);
  const { out } = await runHeddle(['doctor', '--json'], { HEDDLE_DATA_DIR: data, HEDDLE_PORT: '0' });
  for (const name of ['disk', 'database']) {
    const found = JSON.parse(out).checks.find(({ check }: { check: string }) => check === name);
    assert.equal(found.status, 'failed');
    assert.match(found.advice, new RegExp(`^Free space on the disk ${disk}:`));
  }
  const postgresLog = () => readFileSync(join(data, 'postgres', 'postgres.log'), 'utf8');
  assert.doesNotMatch(postgresLog(), /PANIC/);
  for (const name of ['ballast', 'rest', 'more-ballast']) rmSync(join(disk, name), { force: true });
  await log.says('the disk has space again: changes are accepted');
  // Each session learns it before its next statement.
  await until(async () => (await owner.send('after')).status === 200, 'a send to succeed');
  await until(() => statSync(reserve, { throwIfNoEntry: false }) !== undefined, 'a new reserve');
  assert.doesNotMatch(postgresLog(), /PANIC/);
  const levels = log.lines.filter(({ level }) => level === 'error').map(({ msg }) => msg);
  assert.deepEqual(
    levels.filter((message) => message !== 'the database refuses writes'),
    ['the disk is almost full: changes are refused until there is space'],
  );
});

test('a server starts on a full disk for reads, also after a kill, and accepts changes when there is space', async (t) => {
  const disk = smallDisk(t, 600);
  if (disk === null) return;
  const data = join(disk, 'data');
  const environment = { HEDDLE_OWNER_PASSWORD: password, HEDDLE_RATE_LIMITS: 'off', HEDDLE_DATA_DIR: data };
  const killed = await startHeddle(environment);
  t.after(() => killed.stop('SIGKILL'));
  const before = await ownerOf(killed);
  for (let count = 0; count < 20; count += 1) assert.equal((await before.send('kept')).status, 200);
  const reserve = join(data, 'postgres', 'reserve');
  await until(() => (statSync(reserve, { throwIfNoEntry: false })?.size ?? 0) > 30_000_000, 'the reserve');
  await killed.stop('SIGKILL');
  await killCluster(data);
  const ballast = join(disk, 'ballast');
  fill(ballast);
  const { log, owner } = await serverOn(t, { HEDDLE_DATA_DIR: data });
  assert.equal(await owner.read(), 200);
  assert.equal((await owner.send('refused')).status, 503);
  rmSync(ballast);
  await log.says('the disk has space again: changes are accepted');
  // Each session learns it before its next statement.
  await until(async () => (await owner.send('after')).status === 200, 'a send to succeed');
});

test('a read-only database is logged once, and once when it accepts writes again; reads continue meanwhile', async (t) => {
  const [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase()]);
  const operator = new pg.Client({ connectionString: database.url });
  t.after(async () => {
    await operator.end();
    await database.drop();
    await data.remove();
  });
  await operator.connect();
  const name = new URL(database.url).pathname.slice(1);
  const { log, owner } = await serverOn(t, { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url });
  const setReadOnly = async (value: 'on' | 'off') => {
    await operator.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    await operator.query(`SET default_transaction_read_only = off`);
    await operator.query(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  };
  await setReadOnly('on');
  let status = 0;
  await until(async () => {
    const isLogged = log.lines.some(({ msg }) => msg === 'the database refuses writes');
    if (!isLogged) ({ status } = await owner.send('refused'));
    return isLogged;
  }, 'a line about refused writes in the log');
  assert.equal(status, 503);
  assert.equal(await owner.read(), 200);
  await setReadOnly('off');
  await log.says('the database accepts writes again');
  await until(async () => (await owner.send('after')).status === 200, 'a send to succeed');
  const ours = log.outage.filter(([, message]) => /writes/.test(String(message)));
  assert.deepEqual(ours, [
    ['error', 'the database refuses writes', '25006'],
    ['warn', 'the database accepts writes again', undefined],
  ]);
});

test('an outage of the database is one error in the log, and what tries again and again does not fill it', async (t) => {
  const [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase()]);
  const proxy = await startStallingProxy(database.url);
  t.after(async () => {
    await proxy.close();
    await database.drop();
    await data.remove();
  });
  const { log } = await serverOn(t, {
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_DATABASE_URL: proxy.url,
    HEDDLE_LOG_LEVEL: 'debug',
  });
  const [bus, check] = [
    'the bus lost its database connection; it reconnects',
    'could not check the logs for missed events',
  ];
  await proxy.refuse();
  await log.says('the database is unavailable');
  await log.says(bus, 4);
  await log.says(check, 2);
  await proxy.accept();
  await log.says('the database is available again');
  const loud = log.lines.filter(({ level }) => level === 'warn' || level === 'error');
  const count = (message: string) => loud.filter(({ msg }) => msg === message).length;
  assert.deepEqual([count(bus), count(check)], [1, 0]);
  assert.deepEqual(
    loud.filter(({ level }) => level === 'error').map(({ msg }) => msg),
    ['the database is unavailable'],
  );
});
