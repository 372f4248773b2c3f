import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { defineEndpoint } from '@heddle/api/contract.ts';
import { pino } from 'pino';
import Type from 'typebox';
import { type RawJson, rawJson } from '../answers/raw-json.ts';
import { HeldAnswer, type HeldRequest, routeFor } from '../requests/route.ts';
import { createHttpServer } from '../server.ts';
import { type SlowReaderRules, SlowReaders } from './slow-readers.ts';

/** More than operating systems buffer for a connection. */
const LARGE = 32 * 1024 * 1024;
const PIECE = LARGE / 16;
const OPENING = Buffer.from('{"result":"success","msg":"","text":"');
const CLOSING = Buffer.from('"}');
const body = `${OPENING}${'x'.repeat(LARGE)}${CLOSING}`;

/** The same response, in new memory for each request. */
function newPieces(): Buffer[] {
  return [OPENING, ...Array.from({ length: LARGE / PIECE }, () => Buffer.alloc(PIECE, 'x')), CLOSING];
}
const sharedPieces = newPieces();

function large(path: string, authentication: 'none' | 'required' = 'required') {
  return defineEndpoint({
    operationId: `get-${path}`,
    method: 'GET',
    path: `/${path}`,
    area: 'samples',
    summary: 'Responds with much',
    authentication,
    parameters: {},
    response: Type.Object({ text: Type.String() }),
    errors: [],
  });
}

interface Caller {
  readonly email: string;
}

class AtOnce extends HeldAnswer<RawJson> {
  override begin(held: HeldRequest<RawJson>): void {
    held.settle(() => rawJson(Buffer.from(body)));
  }
  override hungUp(): void {}
}

const route = routeFor<object, Caller>();
const routes = [
  route(large('large', 'none'), { limit: 'none' }, () => rawJson(body)),
  route(large('text'), { limit: 'none' }, () => rawJson(body)),
  route(large('pieces'), { limit: 'none' }, () => rawJson(newPieces())),
  route(large('shared'), { limit: 'none' }, () => rawJson(sharedPieces)),
  route(large('held'), { limit: 'none' }, () => new AtOnce()),
];

const generous = {
  maxStallMs: 60_000,
  minBytesPerSecond: LARGE,
  maxWaitingBytes: 64 * LARGE,
  maxBytesOfOwner: 64 * LARGE,
};

async function start(t: TestContext, rules: Partial<SlowReaderRules>): Promise<number> {
  const server = await createHttpServer<object, Caller>({
    routes,
    authenticator: {
      organizationOf: () => ({}),
      authenticate: (_, { email }) => ({ email }),
      checkMayCall: () => undefined,
      accountWithKey: () => assert.fail('no endpoint takes a key in its URL'),
      callerOfSession: async () => undefined,
      organizationKey: () => '',
      limiterKey: ({ email }) => email,
      ownerKey: () => undefined,
    },
    log: pino({ enabled: false }),
    version: '0.0.0',
    slowReaders: new SlowReaders({ ...generous, ...rules }),
  });
  t.after(() => server.stop(1000));
  return (await server.listen('127.0.0.1', 0)).port;
}

const request = 'GET /api/v1/large HTTP/1.1\r\nHost: localhost\r\n\r\n';

function requestOf(path: string, email: string): string {
  const credentials = Buffer.from(`${email}:key`).toString('base64');
  return `GET /api/v1/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${credentials}\r\n\r\n`;
}

/** Sends requests and reads nothing until `read` is called. */
function ask(port: number, requests = request): { readonly socket: Socket; read(): Promise<number> } {
  const socket = connect(port, '127.0.0.1', () => socket.write(requests));
  socket.on('error', () => undefined);
  return {
    socket,
    /** Resolves with the number of bytes received when the connection closes or the response is complete. */
    read: () =>
      new Promise((resolve) => {
        let received = 0;
        socket.on('data', (piece: Buffer) => {
          received += piece.length;
          if (received > body.length) resolve(received);
        });
        socket.on('close', () => resolve(received));
      }),
  };
}

/** The same, but waits until the server starts to respond. */
async function askAndWait(port: number, requests: string): Promise<ReturnType<typeof ask>> {
  const asked = ask(port, requests);
  await new Promise((resolve) => asked.socket.once('readable', resolve));
  return asked;
}

/** Resolves when the server has closed a connection that the test does not read: then a write fails. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const poke = setInterval(() => socket.write('\r\n'), 20);
    socket.on('close', () => {
      clearInterval(poke);
      resolve();
    });
  });
}

test('a client that reads nothing of its response is disconnected, whatever it sends', async (t) => {
  const port = await start(t, { maxStallMs: 100, minBytesPerSecond: LARGE * 10 });
  await closed(ask(port).socket);
});

test('the same holds after the client has read an earlier response on the connection', async (t) => {
  const port = await start(t, { maxStallMs: 100, minBytesPerSecond: LARGE * 10 });
  const { socket } = ask(port, request + request);
  let received = 0;
  socket.on('data', (piece: Buffer) => {
    received += piece.length;
    if (received > body.length + 10_000) socket.pause();
  });
  await closed(socket);
});

for (const path of ['text', 'pieces', 'held']) {
  test(`a user whose unread responses (${path}) exceed their share loses their slowest connections, and others do not`, async (t) => {
    const port = await start(t, { maxBytesOfOwner: 2.5 * LARGE });
    const others = await askAndWait(port, requestOf(path, 'other@example.com'));
    const [first, second, third, fourth] = [
      await askAndWait(port, requestOf(path, 'one@example.com')),
      await askAndWait(port, requestOf(path, 'one@example.com')),
      await askAndWait(port, requestOf(path, 'one@example.com')),
      await askAndWait(port, requestOf(path, 'one@example.com')),
    ];
    await Promise.all([closed(first.socket), closed(second.socket)]);
    for (const kept of [others, third, fourth]) assert.ok((await kept.read()) > body.length);
  });
}

test('responses that wait for an earlier one on their connection count for their user, too', async (t) => {
  const port = await start(t, { maxBytesOfOwner: 2.5 * LARGE });
  const other = await askAndWait(port, requestOf('pieces', 'other@example.com'));
  const { socket } = await askAndWait(port, requestOf('pieces', 'one@example.com').repeat(4));
  await closed(socket);
  assert.ok((await other.read()) > body.length);
});

test('a single response may exceed the share of a user', async (t) => {
  const port = await start(t, { maxBytesOfOwner: LARGE / 2 });
  const asked = await askAndWait(port, requestOf('pieces', 'one@example.com'));
  assert.ok((await asked.read()) > body.length);
});

test('memory shared by several responses counts once', async (t) => {
  const port = await start(t, { maxBytesOfOwner: 1.5 * LARGE, maxWaitingBytes: 1.5 * LARGE });
  const asked: ReturnType<typeof ask>[] = [];
  for (let index = 0; index < 6; index++) asked.push(await askAndWait(port, requestOf('shared', 'one@example.com')));
  for (const each of asked) assert.ok((await each.read()) > body.length);
});

test('if all clients together hold too much, the user who holds most loses connections', async (t) => {
  const port = await start(t, { maxWaitingBytes: 3.5 * LARGE });
  const others = [
    await askAndWait(port, requestOf('pieces', 'ada@example.com')),
    await askAndWait(port, requestOf('pieces', 'bob@example.com')),
  ];
  const slowest = await askAndWait(port, requestOf('pieces', 'one@example.com'));
  const newest = await askAndWait(port, requestOf('pieces', 'one@example.com'));
  await closed(slowest.socket);
  for (const kept of [...others, newest]) assert.ok((await kept.read()) > body.length);
});

test('if too much data waits, the longest stalled connections are closed, and a reading client gets its whole response', async (t) => {
  const port = await start(t, { maxWaitingBytes: 2 * LARGE });
  const idlers = [ask(port), ask(port), ask(port)];
  const reader = ask(port, request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  assert.ok((await reader.read()) > body.length);
  const ends = idlers.map(({ socket }) => closed(socket));
  await Promise.race(ends);
  for (const { socket } of idlers) socket.destroy();
  await Promise.all(ends);
});
