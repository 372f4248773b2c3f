import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { Networks } from './networks.ts';
import { sendOutbound } from './request.ts';

const INTERIM = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n';

/** The status that the request gets, or why it fails. The server responds to it with this, and ends the connection. */
async function outcomeOf(response: string): Promise<number | string | undefined> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const { statusCode } = await sendOutbound(
      { networks: new Networks(['127.0.0.1']), resolve: async () => [] },
      {
        method: 'POST',
        url: new URL(`http://127.0.0.1:${port}/`),
        headers: {},
        signal: new AbortController().signal,
      },
    );
    return statusCode;
  } catch (error) {
    return (error as Error).message;
  } finally {
    server.close();
  }
}

test('a server can send some interim responses, and a request to one that sends many ends', async () => {
  const end = 'HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n';
  assert.equal(await outcomeOf(`${INTERIM.repeat(10)}${end}`), 201);
  assert.equal(await outcomeOf(`${INTERIM.repeat(11)}${end}`), 'the server sends too many interim responses');
});
