/** Several processes behind nginx and behind Caddy, with the examples of `deploy/`: they restart one after the other, and one hangs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { TestClient } from './testing/clients/client.ts';
import { testDatabase } from './testing/database/database.ts';
import { newAccount, ownerAccount } from './testing/faults/command-line-accounts.ts';
import { KillableServer } from './testing/faults/killable-server.ts';
import { startLoad } from './testing/faults/steady-load.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';
import { noCaddy, startCaddy } from './testing/services/caddy.ts';
import { noNginx, type RunningProxy, startNginx } from './testing/services/nginx.ts';
import { freePort } from './testing/services/ports.ts';

const password = 'a shuttle flies through the shed';
const PROCESSES = 3;

const nginx = { name: 'nginx', missing: noNginx, start: startNginx };
const caddy = { name: 'Caddy', missing: noCaddy, start: startCaddy };

/** Starts the processes, and the proxy in front of them. */
async function startProcesses(t: TestContext, start: (upstreams: string) => Promise<RunningProxy>) {
  const [data, database] = [await temporaryDataDirectory(), await testDatabase()];
  const servers: KillableServer[] = [];
  let proxy: RunningProxy | undefined;
  t.after(async () => {
    await proxy?.stop();
    for (const server of servers) await server.end();
    await database.drop();
    await data.remove();
  });
  const environment = {
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_BUS: 'postgres',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_LOG_LEVEL: 'error',
    HEDDLE_OWNER_PASSWORD: password,
    // More than twice the interval of Caddy's check, for a slow machine.
    HEDDLE_DRAIN_SECONDS: '5',
    HEDDLE_TRUST_PROXY: '127.0.0.1',
  };
  const hosts: string[] = [];
  // The first one creates the organization.
  for (let count = 0; count < PROCESSES; count += 1) {
    const port = await freePort();
    hosts.push(`127.0.0.1:${port}`);
    const server = new KillableServer(data.path, { ...environment, HEDDLE_PORT: String(port) });
    servers.push(server);
    await server.listening;
  }
  proxy = await start(hosts.join(' '));
  const url = `http://127.0.0.1:${proxy.port}`;
  const urls = hosts.map((host) => `http://${host}`);
  const account = await ownerAccount(urls[0] ?? '', password);
  const reader = await newAccount({ environment: { ...environment, HEDDLE_DATA_DIR: data.path }, urls }, 'Reader');
  const clients = [account, reader].map(
    (each) => new TestClient({ ...each, url, host: 'localhost', name: each.email }),
  );
  const [writer, other] = clients;
  assert(writer !== undefined && other !== undefined);
  const everyProcess = () => Promise.all(urls.map((each) => isReady(each)));
  await until(async () => (await everyProcess()).every(Boolean), 'all processes to be ready');
  await writer.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'loom' }],
    principals: [writer.userId, other.userId],
  });
  return { servers, urls, url, writer, reader: other };
}

async function isReady(url: string): Promise<boolean> {
  return await fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

test('in a rolling restart of three processes behind Caddy, no request fails, and no event is lost or repeated', {
  skip: noCaddy,
}, async (t) => {
  const { servers, urls, writer, reader } = await startProcesses(t, startCaddy);
  const load = await startLoad(writer, reader);
  for (const [index, server] of servers.entries()) {
    await load.more();
    const { code, err } = await (await server.listening).stop('SIGTERM');
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    await server.restart();
    await until(() => isReady(urls[index] ?? ''), 'the new process to be ready');
  }
  await load.more();
  await load.finish();
});

/** A service that responds to each request, on a port of its own. */
async function startService() {
  const port = await freePort();
  const server = createServer((_, response) => response.end()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async restart() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}

test('nginx does not avoid a process that was restarted, so three that restart one after the other leave one for each request', {
  skip: noNginx,
}, async (t) => {
  const services = [await startService(), await startService(), await startService()];
  const proxy = await startNginx(services.map(({ host }) => host).join(' '));
  t.after(async () => {
    await proxy.stop();
    for (const service of services) await service.stop();
  });
  // As many requests as services: nginx tries each of them.
  const check = async () => {
    for (const _ of services) assert.equal((await fetch(`http://127.0.0.1:${proxy.port}/`)).status, 200);
  };
  for (const service of services) {
    await check();
    await service.stop();
    await check();
    await service.restart();
  }
  await check();
});

/** As many requests at a time. With fewer, a busy process could get none by chance. */
const BURST = 30;

test('a process that hangs behind Caddy gets no requests after the check of its health, and its polls go on when it continues', {
  skip: noCaddy,
}, async (t) => {
  const { servers, url, writer, reader } = await startProcesses(t, startCaddy);
  const queues = [];
  for (let count = 0; count < 2 * PROCESSES; count += 1)
    queues.push(await reader.ok('POST', '/register', { event_types: ['message'] }));
  const polls = queues.map(({ queue_id, last_event_id }) => reader.ok('GET', '/events', { queue_id, last_event_id }));
  // A request without credentials.
  const ask = async (limitMs: number) => {
    // timing: a request to a process that hangs has no response
    const response = await fetch(`${url}/api/v1/server_settings`, {
      signal: AbortSignal.timeout(limitMs),
    });
    return response.ok;
  };
  const burst = (limitMs: number) => Promise.all(Array.from({ length: BURST }, () => ask(limitMs).catch(() => false)));
  /** @param limitMs long, because a slow response is not a missing one */
  const isWell = async (limitMs = 60_000) => (await burst(limitMs)).every(Boolean);
  assert(await isWell());
  const [hanging] = servers;
  assert(hanging !== undefined);
  await hanging.pause();
  await until(() => isWell(3_000), 'all requests to be answered');
  for (let count = 0; count < 5; count += 1) assert(await isWell(), 'a request went to the process that hangs');
  hanging.resume();
  await writer.ok('POST', '/messages', { type: 'channel', to: 'loom', topic: 'warp', content: 'after the pause' });
  for (const [index, { queue_id }] of queues.entries()) {
    let { events } = await polls[index];
    // On a slow machine, a heartbeat can come first.
    const { message } = await until(async () => {
      const last = events.at(-1);
      if (last.type === 'message') return last;
      ({ events } = await reader.ok('GET', '/events', { queue_id, last_event_id: last.id }));
      return undefined;
    }, 'the message');
    assert.match(message.content, /after the pause/);
  }
});

/** A server that is healthy, and breaks off each request after it has received it. */
async function startBreaking(t: TestContext, received: string[]): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/health/')) return response.end();
    received.push(request.method ?? '');
    request.resume();
    return request.on('end', () => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

for (const { name, missing, start } of [nginx, caddy])
  test(`${name} sends a GET to another process if the first one breaks off, and a POST to only one`, {
    skip: missing,
  }, async (t) => {
    const received: string[] = [];
    const hosts = [await startBreaking(t, received), await startBreaking(t, received)];
    const proxy = await start(hosts.join(' '));
    t.after(() => proxy.stop());
    const url = `http://127.0.0.1:${proxy.port}/api/v1/messages`;
    const status = async (method: string) =>
      (await fetch(url, { method, ...(method === 'POST' && { body: 'x' }) })).status;
    assert.equal(await status('POST'), 502);
    assert.deepEqual(received, ['POST']);
    assert((await status('GET')) >= 500);
    assert(received.filter((method) => method === 'GET').length > 1, received.join());
  });
