/**
 * Follows `docs/cluster.md` from three empty machines to a serving cluster, in `npm run test:long`. The machines are namespaces of this one. Stand-ins replace
 * systemd, apt-get, npm and scp (`stand-ins/`); a bucket on a fourth host replaces that of a provider.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { timesOf } from '@heddle/server/testing/faults/kill-counts.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { Chat } from './chat.ts';
import { MACHINES, Site, whatManualLacks } from './site.ts';
import { Trial } from './trial.ts';

const isWanted = timesOf({ gate: 0, long: 1 }) > 0;
const lacking = isWanted ? whatManualLacks() : undefined;

/** Each step continues with what the ones before it have built. */
function step(title: string, run: () => unknown): void {
  if (isWanted) void test(title, { skip: lacking ?? false }, async () => void (await run()));
}

/** Three members that are well, in any order. A member without a timeline does not follow. */
const LISTED = new RegExp(
  ['Leader', 'Sync Standby', 'Replica']
    .map((role) => `(?=[\\s\\S]*\\| ${role} +\\| (?:running|streaming) +\\| +\\d+ \\|)`)
    .join(''),
);

let trial: Trial;
let chat: Chat;
/** What the first start printed. */
let password = '';

before(async () => {
  if (!isWanted || lacking !== undefined) return;
  trial = new Trial(await Site.open());
});
after(async () => {
  if (!isWanted || lacking !== undefined) return;
  await chat?.kill();
  await Site.remove();
});

step('three empty machines get names, programs and settings', async () => {
  const { site } = trial;
  await trial.follow(...trial.section('1. Names', 1), ...trial.section('2. Programs', 1));
  const [prepare, certify, copyFirst, place] = trial.section('3. Settings', 4);
  assert(prepare && certify && copyFirst && place);
  await trial.follow(prepare);
  await trial.follow(certify);
  // What a person edits: the bucket, and less memory for this machine. The programs trust the certificate of the trial.
  const edits = Object.entries(site.edits).map(([name, value]) => `-e 's|^${name}=.*|${name}=${value}|'`);
  const { code, out } = await site.machines.one.run(
    `cd /root/cluster/etc && sed -i ${edits.join(' ')} heddle/heddle.env && sed -i s/1GB/128MB/ patroni/config.yml
     echo NODE_EXTRA_CA_CERTS=/etc/caddy/heddle.crt >> heddle/heddle.env`,
  );
  assert.equal(code, 0, out);
  await trial.follow(copyFirst, place);
});

step('PostgreSQL has a primary and two standbys, one of them synchronous', async () => {
  const [startVoters, health, start, list, create] = trial.section('4. The database', 5);
  assert(startVoters && health && start && list && create);
  await trial.follow(startVoters);
  await trial.repeat(health, /(is healthy[\s\S]*){3}/);
  await trial.follow(start);
  await trial.repeat(list, LISTED);
  await trial.follow(create);
});

step('Heddle serves at the address of the cluster, and the doctor finds no fault', async () => {
  const [first, all, check] = trial.section('5. Heddle', 3);
  assert(first && all && check);
  const printed = await trial.follow(first);
  password = /^ *password +(\S+)/m.exec(printed)?.[1] ?? '';
  assert.notEqual(password, '', printed);
  await trial.follow(all);
  const out = await trial.repeat(check, /"status":"ready"/);
  for (const name of MACHINES) assert.match(out, new RegExp(`${name}:9991`));
});

step('a backup is made and restored', async () => {
  const [backUp, stop, restore, start] = trial.section('Back up', 4);
  assert(backUp && stop && restore && start);
  await trial.follow(backUp, stop, restore, start);
  await trial.isWell('three');
});

step('a person and a program chat while all processes change to NATS', async () => {
  const { clients, machines } = trial.site;
  const certificate = (await machines.one.run('cat /etc/caddy/heddle.crt')).out;
  chat = await Chat.begin(clients, { certificate, password, directory: trial.site.browserDirectory });
  await trial.follow(...trial.section('NATS', 1));
  const [upgrade] = trial.section('Upgrade', 2);
  assert(upgrade);
  await trial.follow(upgrade);
  await trial.isWell('one');
  await chat.goesOn();
});

step('they chat on while the primary gives its role away', async () => {
  const [, switchOver] = trial.section('Upgrade', 2);
  const [, , , list] = trial.section('4. The database', 5);
  assert(switchOver && list);
  const former = await trial.primary('one');
  await trial.follow(switchOver);
  await until(async () => (await trial.primary('one')) !== former, 'another primary');
  await chat.goesOn();
  await trial.repeat(list, LISTED);
  await trial.isWell('one');
});

step('they chat on while the machine of the primary is silent, and see a pause', async () => {
  const lost = await trial.primary('one');
  trial.site.network.unplug(lost);
  await chat.pausesAndGoesOn();
  trial.site.network.plugIn(lost);
  // The doctor alone can take a former primary for one that follows, because it had written more.
  const [, , , list] = trial.section('4. The database', 5);
  assert(list);
  await trial.repeat(list, LISTED);
  await trial.isWell('one');
  await trial.isWell(lost);
});

step('they chat on while a machine is lost, and a new one takes its place', async () => {
  const { three } = trial.site.machines;
  const [forget] = trial.section('When a machine fails', 3);
  assert(forget);
  await three.cutPower();
  await chat.goesOn();
  await trial.follow(forget);
  await replaceThree();
  await trial.isWell('one');
  await chat.goesOn();
});

/** As "When a machine fails" says, without the first block. */
async function replaceThree(): Promise<void> {
  const { three } = trial.site.machines;
  const [, copy, add] = trial.section('When a machine fails', 3);
  assert(copy && add);
  await three.install();
  const onEach = (name: string, count: number) =>
    trial.section(name, count).filter(({ where }) => where === 'each machine');
  for (const block of [...onEach('1. Names', 1), ...onEach('2. Programs', 1)]) await trial.runAt(three, block);
  await trial.follow(copy);
  for (const block of onEach('3. Settings', 4)) await trial.runAt(three, block);
  await trial.follow(add);
  const rest = [...onEach('4. The database', 5), ...onEach('5. Heddle', 3), ...onEach('NATS', 1)];
  for (const block of rest) await trial.runAt(three, block);
}

step('all that was acknowledged is there exactly once, and nobody registered or loaded the app again', async () => {
  const report = await chat.end();
  assert.deepEqual(report.wrong, []);
  assert.equal(report.registrations, 1);
  assert(report.hasOnePage);
  assert(report.failed > 0, 'the faults were noticed');
});

step('the last of three machines goes on alone, and gets others again', async () => {
  const { one, two, three } = trial.site.machines;
  const [alone, name, together] = trial.section('When two machines fail', 3);
  assert(alone && name && together);
  await two.cutPower();
  await three.cutPower();
  await trial.follow(alone);
  const ready = async () => (await one.run('curl --silent --fail http://one:9991/health/ready')).code === 0;
  await until(ready, 'Heddle to be ready on the last machine');
  await trial.follow(name);
  await replaceThree();
  await trial.follow(together);
  const [, , , list] = trial.section('4. The database', 5);
  assert(list);
  await trial.repeat(list, /Sync Standby/);
  await until(ready, 'Heddle to be ready with a standby');
});

step('every block of the manual has been tried', () => {
  assert.deepEqual(trial.untried, []);
});
