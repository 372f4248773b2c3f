import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { discardRest } from './request-bodies.ts';

test('a connection whose short body was refused unread serves further requests', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    sockets.add(incoming.socket);
    // A reader that stops after the response, like that of a route that refuses the caller before it reads the body.
    const reader = incoming.pipe(new PassThrough());
    outgoing.once('finish', () => {
      discardRest(incoming);
      reader.destroy();
    });
    outgoing.writeHead(401).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = server.address() as AddressInfo;
  const post = async () => {
    const outgoing = request({ port, host: '127.0.0.1', agent, method: 'POST', headers: { 'content-length': '8' } });
    outgoing.end('text=own');
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    await once(incoming.resume(), 'end');
    return incoming.statusCode;
  };
  try {
    assert.equal(await post(), 401);
    t.mock.timers.tick(60_000);
    assert.equal(await post(), 401);
    assert.equal(sockets.size, 1);
  } finally {
    agent.destroy();
    server.close();
  }
});
