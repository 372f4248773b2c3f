/**
 * Runs `npm start` in a control group with 512 MB of memory and no swap, as a small rented machine has. 50 people poll. Five messages a
 * second arrive for a minute, and one of the people uploads a large picture. Prints what the group needed. Fails if a message is
 * missing or the kernel ended a process. `scripts/node bench/src/small-machine.ts [megabytes] [people] [seconds]`, as root on Linux.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { npmStart } from './harness/npm-start.ts';
import { png } from './harness/png.ts';
import { personEmail } from './harness/population.ts';
import { stopAll } from './harness/programs.ts';
import { removeAllScratch } from './harness/scratch.ts';
import { populatedDirectory, upTo } from './harness/site.ts';
import { treeMemory } from './harness/tree-memory.ts';
import { callAll, type Login, textField } from './harness/wire.ts';
import { PollingClient } from './loads/polling-client.ts';
import { steadySends } from './loads/steady-sends.ts';

const [megabytes = 512, people = 50, seconds = 60] = process.argv.slice(2).map(Number);
const SENDS_PER_SECOND = 5;
const PICTURE_PIXELS = 3000;
/** After the last send, for the slowest delivery. */
const MAX_DELIVERY_MS = 10_000;

/** The files of a group of the second and of the first version of control groups. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    swap: 'memory.swap.max',
    noSwap: '0',
    peak: 'memory.peak',
    kills: 'memory.events',
  },
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    swap: 'memory.memsw.limit_in_bytes',
    noSwap: String(megabytes * 2 ** 20),
    peak: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
  },
];

process.on('exit', removeAllScratch);
const version = VERSIONS.find(({ root, limit }) => existsSync(join(root, limit)) || isController(root));
assert(version !== undefined, 'there is no control group with memory');
const group = join(version.root, `heddle-small-${process.pid}`);
mkdirSync(group);
const inGroup = (file: string) => join(group, file);
try {
  writeFileSync(inGroup(version.limit), String(megabytes * 2 ** 20));
  if (existsSync(inGroup(version.swap))) writeFileSync(inGroup(version.swap), version.noSwap);
  await run(inGroup('cgroup.procs'));
} finally {
  await stopAll();
  rmdirSync(group);
}

/** Of the second version: whether groups below have a limit of memory. */
function isController(root: string): boolean {
  const enabled = join(root, 'cgroup.subtree_control');
  return existsSync(enabled) && readFileSync(enabled, 'utf8').split(/\s+/).includes('memory');
}

async function run(processes: string): Promise<void> {
  const channels = upTo(20).map((n) => ({ first: n * 7, count: n === 0 ? people : Math.ceil(people / 3) }));
  const data = await populatedDirectory({ people, channels, messages: { count: 5000, worded: true, unread: [100] } });
  const started = await npmStart(data, processes);
  const { address } = started;
  const failures: Error[] = [];
  const failed = (error: Error) => failures.push(error);
  const keys = await callAll(
    address,
    upTo(people).map((n) => ({ method: 'POST', path: '/dev_fetch_api_key', parameters: { username: personEmail(n) } })),
    8,
  );
  const logins = keys.map((key, n): Login => ({ email: personEmail(n), apiKey: textField(key, 'api_key') }));
  const count = seconds * SENDS_PER_SECOND;
  let received = 0;
  const clients = logins.map((login) => new PollingClient(address, login, count, () => received++, failed));
  for (const client of clients) await client.register();
  for (const client of clients) client.poll();
  const [{ p50, p99, worst }] = await Promise.all([
    steadySends(
      { address, senders: logins, channel: 'bench 0', every: 1000 / SENDS_PER_SECOND, seconds },
      { reached: async () => undefined },
    ),
    uploadPicture(address, logins[0]),
  ]);
  const deadline = performance.now() + MAX_DELIVERY_MS;
  while (received < count * people && performance.now() < deadline) await delay(100);
  const all = await treeMemory(started.pid);
  const inMegabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  const kills = /^oom_kill (\d+)$/m.exec(readFileSync(inGroup(version?.kills ?? ''), 'utf8'))?.[1];
  const peak = Number(readFileSync(inGroup(version?.peak ?? ''), 'utf8'));
  process.stdout.write(
    `${people} people in ${megabytes} MB: ${count} sends (p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, worst ${worst.toFixed(0)} ms), ` +
      `${received} deliveries. ` +
      `Afterwards the processes have ${inMegabytes(all.reduce((sum, one) => sum + one.bytes, 0))}; ` +
      `with the cache of files at most ${inMegabytes(peak)}; ${kills} processes ended by the kernel.\n`,
  );
  for (const client of clients) client.close();
  await started.stop();
  assert.deepEqual(failures, []);
  assert.equal(received, count * people);
  assert.equal(kills, '0');
}

async function uploadPicture({ host, port }: { host: string; port: number }, login: Login | undefined): Promise<void> {
  const form = new FormData();
  form.set(
    'file',
    new Blob([new Uint8Array(png(PICTURE_PIXELS, PICTURE_PIXELS))], { type: 'image/png' }),
    'picture.png',
  );
  const authorization = `Basic ${btoa(`${login?.email}:${login?.apiKey}`)}`;
  const url = `http://${host}:${port}/api/v1/users/me/avatar`;
  const answer = await fetch(url, { method: 'POST', body: form, headers: { authorization } });
  assert.equal(answer.status, 200, await answer.text());
}
