/** Several processes behind nginx and behind Caddy, with the examples of `deploy/` that send an organization's requests to one process. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { TestClient } from './testing/clients/client.ts';
import { testDatabase } from './testing/database/database.ts';
import { KillableServer } from './testing/faults/killable-server.ts';
import { runCommand } from './testing/server/command-line.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';
import { noCaddy, startCaddy } from './testing/services/caddy.ts';
import { noNginx, type ProxyOptions, type RunningProxy, startNginx } from './testing/services/nginx.ts';
import { freePort } from './testing/services/ports.ts';

const PROCESSES = 3;
const ORGANIZATIONS = 12;

type Start = (upstreams: string, options: ProxyOptions) => Promise<RunningProxy>;

/** A process, and the number of organizations that it has in memory. */
interface Process {
  readonly server: KillableServer;
  organizations(): Promise<number>;
}

/**
 * Waits until consumers have read all logs. Another process reads a log that its own process does not read for some seconds, and then has the
 * organization in memory.
 */
async function allRead(client: pg.Client): Promise<void> {
  await until(async () => {
    const { rows } = await client.query<{ is: boolean }>(
      `
      SELECT count(DISTINCT organization_id) > $1 AND bool_and(position = head) AS is
        FROM logs JOIN log_cursors USING (organization_id)`,
      [ORGANIZATIONS],
    );
    return rows[0]?.is;
  }, 'the readers of all logs');
}

async function startProcesses(t: TestContext, start: Start) {
  const [data, database] = [await temporaryDataDirectory(), await testDatabase()];
  const processes: Process[] = [];
  const sql = new pg.Client({ connectionString: database.url });
  let proxy: RunningProxy | undefined;
  t.after(async () => {
    await proxy?.stop();
    for (const { server } of processes) await server.end();
    await sql.end();
    await database.drop();
    await data.remove();
  });
  const environment = {
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_BUS: 'postgres',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_LOG_LEVEL: 'error',
    HEDDLE_OWNER_PASSWORD: 'a shuttle flies through the shed',
    HEDDLE_TRUST_PROXY: '127.0.0.1',
  };
  await sql.connect();
  const owners = await prepare(database.url, environment);
  const hosts: string[] = [];
  for (let count = 0; count < PROCESSES; count += 1) {
    const [port, metrics] = [await freePort(), await freePort()];
    const settings = { ...environment, HEDDLE_PORT: String(port), HEDDLE_METRICS_PORT: String(metrics) };
    const server = new KillableServer(data.path, settings);
    hosts.push(`127.0.0.1:${port}`);
    processes.push({
      server,
      async organizations() {
        const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
        return Number(/^heddle_organizations_in_memory (\d+)$/m.exec(text)?.[1]);
      },
    });
    await server.listening;
  }
  proxy = await start(hosts.join(' '), { byHost: true });
  const url = `http://127.0.0.1:${proxy.port}`;
  return { processes, clients: owners.map((owner) => new TestClient({ ...owner, url })), sql };
}

/** Creates the organizations. Leaves no background work, which could bring one into the memory of any process. */
async function prepare(url: string, environment: Readonly<Record<string, string>>) {
  const server = new KillableServer(environment.HEDDLE_DATA_DIR ?? '', { ...environment, HEDDLE_PORT: '0' });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await server.listening;
    const owners = [];
    for (let count = 0; count < ORGANIZATIONS; count += 1) {
      owners.push(await createOrganization(`team${count}`, environment));
    }
    await allRead(client);
    await (await server.listening).stop('SIGTERM');
    await client.query('DELETE FROM missed_batches');
    return owners;
  } finally {
    await client.end();
    await server.end();
  }
}

async function createOrganization(subdomain: string, environment: Readonly<Record<string, string>>) {
  const named = ['--name', subdomain, '--owner-name', 'Olive', '--owner-email', `olive@${subdomain}.example.com`];
  const { out, err } = await runCommand(['org', 'create', '--subdomain', subdomain, ...named, '--json'], environment);
  assert.notEqual(out, '', err);
  const { owner_id: userId, owner_email: email, api_key: apiKey } = JSON.parse(out);
  return { userId, email, apiKey, host: `${subdomain}.localhost`, name: 'Olive' };
}

/** Whether the proxy has noticed which processes are left. It repeats a GET that breaks off, and no POST. */
async function isServed(clients: readonly TestClient[]): Promise<boolean> {
  const statuses = [];
  for (const client of clients) statuses.push((await client.call('GET', '/users/me')).status);
  return statuses.every((status) => status === 200);
}

/** Requests of each kind that an app makes. */
async function useAll(clients: readonly TestClient[]): Promise<void> {
  for (const client of clients) {
    await client.ok('POST', '/messages', { type: 'direct', to: [client.userId], content: 'hello' });
    const { queue_id, last_event_id } = await client.ok('POST', '/register', { event_types: ['message'] });
    await client.ok('POST', '/messages', { type: 'direct', to: [client.userId], content: 'hello again' });
    await client.ok('GET', '/events', { queue_id, last_event_id, dont_block: true });
    await client.ok('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 });
  }
}

const countsOf = (processes: readonly Process[]) => Promise.all(processes.map((each) => each.organizations()));
const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

for (const { name, missing, start } of [
  { name: 'nginx', missing: noNginx, start: startNginx },
  { name: 'Caddy', missing: noCaddy, start: startCaddy },
])
  test(`behind ${name} by host, an organization is in the memory of one process, and of two while it moves`, {
    skip: missing,
  }, async (t) => {
    const { processes, clients, sql } = await startProcesses(t, start);
    await useAll(clients);
    await useAll(clients);
    // Then no other process has to read events that the killed one left.
    await allRead(sql);
    const before = await countsOf(processes);
    const most = Math.max(...before);
    assert.equal(sumOf(before), ORGANIZATIONS, `${before}`);
    assert(most < ORGANIZATIONS, 'the processes share the organizations');

    const busiest = processes[before.indexOf(most)];
    assert(busiest !== undefined);
    const others = processes.filter((each) => each !== busiest);
    await busiest.server.kill();
    await until(() => isServed(clients).catch(() => false), 'the other processes to serve all organizations');
    await useAll(clients);
    const without = await countsOf(others);
    assert.equal(sumOf(without), ORGANIZATIONS, `${before} became ${without}`);

    await busiest.server.restart();
    await until(async () => {
      await useAll(clients);
      // It serves its metrics soon after it listens.
      return (await busiest.organizations().catch(() => 0)) === most;
    }, 'the organizations to return to their process');
    assert.deepEqual(await countsOf(others), without);
  });
