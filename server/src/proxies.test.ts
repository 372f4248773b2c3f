/** Heddle behind nginx and behind Caddy, with the examples of `deploy/`. */
import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { TestClient } from './testing/clients/client.ts';
import { testDatabase } from './testing/database/database.ts';
import { ownerAccount } from './testing/faults/command-line-accounts.ts';
import { type ServeCommand, startServe } from './testing/server/command-line.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';
import { noCaddy, startCaddy } from './testing/services/caddy.ts';
import { noNginx, type RunningProxy, startNginx } from './testing/services/nginx.ts';

const password = 'a shuttle flies through the shed';

/** Other addresses of this machine, so that clients differ from the proxy. */
const CLIENT = '127.0.0.2';

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Sends this much of the body, and breaks the connection. */
  readonly breakAfter?: number;
}

for (const { name, missing, start } of [
  { name: 'nginx', missing: noNginx, start: startNginx },
  { name: 'Caddy', missing: noCaddy, start: startCaddy },
])
  describe(name, () => {
    let server: ServeCommand;
    let proxy: RunningProxy;
    let log = '';
    let authorization: string;
    let client: TestClient;
    const tidy: (() => Promise<unknown>)[] = [];

    before(async () => {
      if (missing) return;
      const [data, database] = [await temporaryDataDirectory(), await testDatabase()];
      tidy.push(() => data.remove(), database.drop);
      server = await startServe({
        HEDDLE_DATA_DIR: data.path,
        HEDDLE_DATABASE_URL: database.url,
        HEDDLE_OWNER_PASSWORD: password,
        HEDDLE_TRUST_PROXY: '127.0.0.1',
        HEDDLE_LOG_LEVEL: 'debug',
        HEDDLE_HEARTBEAT_SECONDS: '1',
      });
      server.err.on('data', (chunk: string) => {
        log += chunk;
      });
      tidy.push(() => server.stop());
      proxy = await start(new URL(server.url).host);
      tidy.push(() => proxy.stop());
      const account = await ownerAccount(server.url, password);
      authorization = `Basic ${Buffer.from(`${account.email}:${account.apiKey}`).toString('base64')}`;
      client = new TestClient({ ...account, url: `http://127.0.0.1:${proxy.port}`, host: 'localhost', name: 'Owner' });
    });
    after(async () => {
      for (const end of tidy.reverse()) await end();
    });

    /** A request through the proxy from the address of the client. */
    function ask({
      method = 'GET',
      path,
      headers = {},
      body,
      breakAfter,
    }: Asked): Promise<IncomingMessage | undefined> {
      return new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port: proxy.port, localAddress: CLIENT, method, path };
        const sent = request({ ...options, headers: { host: 'localhost', authorization, ...headers } }, (response) => {
          response.resume();
          resolve(response);
        });
        sent.on('error', (error) => (breakAfter === undefined ? reject(error) : resolve(undefined)));
        if (breakAfter === undefined) sent.end(body);
        else sent.write(body?.subarray(0, breakAfter) ?? '', () => setImmediate(() => sent.destroy()));
      });
    }

    test('a long poll through the proxy is held, gets its event, and gets heartbeats', { skip: missing }, async () => {
      const queue = await client.ok('POST', '/register', { event_types: ['message'] });
      const poll = { queue_id: queue.queue_id, last_event_id: queue.last_event_id };
      const { events: first } = await client.ok('GET', '/events', poll);
      assert.deepEqual(
        first.map(({ type }: { type: string }) => type),
        ['heartbeat'],
      );
      const held = client.ok('GET', '/events', { ...poll, last_event_id: first[0].id });
      await client.ok('POST', '/messages', { type: 'direct', to: [client.userId], content: 'through the proxy' });
      let { events } = await held;
      const event = await until(async () => {
        const [next] = events;
        if (next.type !== 'heartbeat') return next;
        ({ events } = await client.ok('GET', '/events', { ...poll, last_event_id: next.id }));
        return undefined;
      }, 'the event of the message');
      assert.match(event.message.content, /through the proxy/);
    });

    test('an interrupted tus upload through the proxy continues where Heddle has stored it', {
      skip: missing,
    }, async () => {
      const content = Buffer.alloc(3_000_000, 'shuttle ');
      const tus = { 'tus-resumable': '1.0.0' };
      const name = Buffer.from('shed.txt').toString('base64');
      const created = await ask({
        method: 'POST',
        path: '/api/v1/tus/',
        headers: { ...tus, 'upload-length': content.length, 'upload-metadata': `filename ${name}` },
      });
      assert.equal(created?.statusCode, 201);
      const path = new URL(created?.headers.location ?? '', 'http://localhost').pathname;
      const patch = (offset: number) => ({
        method: 'PATCH',
        path,
        headers: {
          ...tus,
          'upload-offset': offset,
          'content-type': 'application/offset+octet-stream',
          'content-length': content.length - offset,
        },
        body: content.subarray(offset),
      });
      await ask({ ...patch(0), breakAfter: 1_000_000 });
      let stored = 0;
      await until(async () => {
        const head = await ask({ method: 'HEAD', path, headers: tus });
        stored = Number(head?.headers['upload-offset'] ?? 0);
        return stored > 0;
      }, 'the first stored bytes of the upload');
      assert.ok(stored <= 1_000_000);
      const done = await ask(patch(stored));
      assert.ok(done?.statusCode === 204 || done?.statusCode === 200, String(done?.statusCode));
    });

    test('Heddle logs the address of the client and the id of the proxy, and a client cannot forge either', {
      skip: missing,
    }, async () => {
      const forged = { 'x-forwarded-for': '192.0.2.7', 'x-request-id': 'forged-by-client' };
      const response = await ask({ path: '/api/v1/users/me', headers: forged });
      assert.equal(response?.statusCode, 200);
      const id = response?.headers['x-request-id'];
      assert.match(String(id), /^[0-9a-f-]{32,36}$/);
      await until(() => log.includes(`"reqId":"${id}"`), `a line about the request ${id} in the log`);
      const line = JSON.parse(log.split('\n').find((each) => each.includes(`"reqId":"${id}"`)) ?? '{}');
      assert.equal(line.address, CLIENT);
    });
  });
