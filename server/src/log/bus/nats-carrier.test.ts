import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { natsServers } from '../../config/nats-servers.ts';
import { silent } from '../../testing/database/log.ts';
import { until } from '../../testing/server/until.ts';
import { NatsCarrier } from './nats-carrier.ts';

/** A server of NATS that accepts connections. It answers as many pings of each of them as the test says. */
async function startUnsteadyServer(answeredPings: readonly number[]) {
  const sockets: Socket[] = [];
  /** How many pings each connection has sent. */
  const pings: number[] = [];
  const server = createServer((socket) => {
    const index = sockets.push(socket) - 1;
    pings[index] = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const _ of data.toString().matchAll(/PING\r\n/g)) {
        pings[index] = (pings[index] ?? 0) + 1;
        if (pings[index] <= (answeredPings[index] ?? 0)) socket.write('PONG\r\n');
      }
    });
    const info = { server_id: 'unsteady', version: '2.10.0', proto: 1, headers: true, max_payload: 1_048_576 };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `nats://127.0.0.1:${address.port}`, sockets, pings, close };
}

test('a carrier that is closed while its new connection is not yet confirmed ends without an error', async (t) => {
  // Each connection begins with one ping of the client; the second one asks whether the subscription has arrived.
  const server = await startUnsteadyServer([2, 1]);
  t.after(() => server.close());
  const servers = natsServers(server.url);
  if (servers === undefined) throw new Error('not the URL of a server');
  const carrier = new NatsCarrier({ servers, secret: Buffer.from('secret'), log: silent, onText: () => undefined });
  t.after(() => carrier.close());
  carrier.start();
  await until(() => carrier.isReady, 'the first connection');
  server.sockets[0]?.destroy();
  await until(() => server.pings[1] === 2, 'the question whether the second connection knows the subscription');
  await carrier.close();
});
