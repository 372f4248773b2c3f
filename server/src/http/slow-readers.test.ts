import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { defineEndpoint } from '@heddle/api/contract.ts';
import { pino } from 'pino';
import Type from 'typebox';
import { rawJson, routeFor } from './route.ts';
import { createHttpServer } from './server.ts';
import { type SlowReaderRules, SlowReaders } from './slow-readers.ts';

/** More than systems buffer for a connection. */
const LARGE = 32 * 1024 * 1024;
const body = `{"result":"success","msg":"","text":"${'x'.repeat(LARGE)}"}`;

const large = defineEndpoint({
  operationId: 'get-large',
  method: 'GET',
  path: '/large',
  area: 'samples',
  summary: 'Answers with much',
  authentication: 'none',
  parameters: {},
  response: Type.Object({ text: Type.String() }),
  errors: [],
});

async function start(t: TestContext, rules: SlowReaderRules): Promise<number> {
  const server = await createHttpServer({
    routes: [routeFor<object, object>()(large, { limit: 'none' }, () => rawJson(body))],
    gatekeeper: {
      organizationOf: () => ({}),
      authenticate: () => ({}),
      checkMayCall: () => undefined,
      callerOfSession: async () => undefined,
      organizationKey: () => '',
      limiterKey: () => '',
      ownerKey: () => undefined,
    },
    log: pino({ enabled: false }),
    version: '0.0.0',
    slowReaders: new SlowReaders(rules),
  });
  t.after(() => server.stop(1000));
  return (await server.listen('127.0.0.1', 0)).port;
}

const request = 'GET /api/v1/large HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** A client that asks and reads nothing; `read` begins to. */
function ask(port: number, requests = request): { readonly socket: Socket; read(): Promise<number> } {
  const socket = connect(port, '127.0.0.1', () => socket.write(requests));
  socket.on('error', () => undefined);
  return {
    socket,
    /** Resolves with how many bytes came before the connection was closed. */
    read: () =>
      new Promise((resolve) => {
        let received = 0;
        socket.on('data', (piece: Buffer) => {
          received += piece.length;
        });
        socket.on('close', () => resolve(received));
      }),
  };
}

/** Resolves when the server has closed a connection on which nothing is read: then writing fails. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const poke = setInterval(() => socket.write('\r\n'), 20);
    socket.on('close', () => {
      clearInterval(poke);
      resolve();
    });
  });
}

test('a client that takes nothing of its answer is cut off, whatever it sends', async (t) => {
  const port = await start(t, { longestStall: 100, leastRate: LARGE * 10, mostWaiting: 8 * LARGE });
  await closed(ask(port).socket);
});

test('also where it has read an earlier answer of the same connection', async (t) => {
  const port = await start(t, { longestStall: 100, leastRate: LARGE * 10, mostWaiting: 8 * LARGE });
  const { socket } = ask(port, request + request);
  let received = 0;
  socket.on('data', (piece: Buffer) => {
    received += piece.length;
    if (received > body.length + 10_000) socket.pause();
  });
  await closed(socket);
});

test('where too much waits, those go that have been slow for longest, and who reads gets the whole answer', async (t) => {
  const port = await start(t, { longestStall: 60_000, leastRate: LARGE, mostWaiting: 2 * LARGE });
  const idlers = [ask(port), ask(port), ask(port)];
  const reader = ask(port, request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  assert.ok((await reader.read()) > body.length);
  const ends = idlers.map(({ socket }) => closed(socket));
  await Promise.race(ends);
  for (const { socket } of idlers) socket.destroy();
  await Promise.all(ends);
});
