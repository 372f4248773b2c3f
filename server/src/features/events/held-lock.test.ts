// timeouts: real
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await server.owner.subscribe('shared');
});
after(() => server.stop());

test('the server ends a connection that holds the organization lock and stalls, half sent or half read', async () => {
  for (const stall of [stallUnread, stallHalfSent]) {
    const holder = new pg.Client({ connectionString: server.shared.url });
    await holder.connect();
    holder.on('error', () => undefined);
    const ended = new Promise((resolve) => holder.once('end', () => resolve(undefined)));
    await holder.query('BEGIN');
    await holder.query('SELECT head FROM logs FOR NO KEY UPDATE');
    stall(holder);
    // By the lock timeout of the waiters, the holder has stalled for longer than any pause may last.
    const texts = ['a message', 'another', 'and one more'];
    await Promise.all(texts.map((text) => server.owner.send('shared', 'topic', text)));
    await server.owner.subscribe(`after ${stall.name}`);
    holder.connection.stream.resume(); // wire name: Node's word for the socket
    await ended;
  }
});

/** A result that is too large for the buffers between the two. */
function stallUnread(client: pg.Client): void {
  client.query("SELECT repeat('x', 1000) FROM generate_series(1, 100000)").catch(() => undefined);
  client.connection.stream.pause(); // wire name: Node's word for the socket
}

/** A statement that is parsed but whose parameters never arrive. */
function stallHalfSent(client: pg.Client): void {
  client.connection.parse({ name: '', text: 'SELECT $1::text', types: [] }, true);
  client.connection.flush();
}

test('every request that needs a permanently held organization lock gets 503 with Retry-After', async () => {
  const holder = new pg.Client({ connectionString: server.shared.url });
  await holder.connect();
  // The server handles two requests per user at once.
  const clients = await Promise.all(Array.from({ length: 25 }, () => server.user()));
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT head FROM logs FOR NO KEY UPDATE');
    // This query runs, so the server must not end it.
    const working = holder.query('SELECT pg_sleep(600)').catch(() => undefined);
    const message = { type: 'channel', to: 'shared', topic: 'topic', content: 'hello' };
    const asked = clients.flatMap((client, index) =>
      index < 15
        ? [client.call('POST', '/messages', message), client.call('POST', '/messages', message)]
        : [
            client.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'shared' }] }),
            client.call('POST', '/typing', { op: 'start', to: [server.owner.userId] }),
          ],
    );
    for (const { status, headers } of await Promise.all(asked)) {
      assert.deepEqual([status, headers['retry-after']], [503, '1']);
    }
    await server.app.pool.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query = 'SELECT pg_sleep(600)'`,
    );
    await working;
    await holder.query('ROLLBACK');
    await server.owner.send('shared', 'topic', 'and on it goes');
  } finally {
    await holder.end();
  }
});
