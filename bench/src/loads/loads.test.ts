import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { until } from '@heddle/server/testing/server/until.ts';
import { startFloor } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import type { Address } from '../harness/http-connection.ts';
import { requestBytes } from '../harness/wire.ts';

const login = { email: 'weaver@bench.invalid', apiKey: 'x'.repeat(32) };
const sampleEvent = JSON.stringify({ type: 'message', message: { id: 9, content: '' }, flags: [], id: 1 });

/** @param patience in seconds. Only a load that must fail waits for so long. */
function polling(address: Address, patience = 60) {
  return {
    address,
    pollers: [login, login, login],
    senders: [login],
    channel: 'bench 0',
    warmUpMessages: 2,
    messages: 5,
    messagesPerSecond: 200,
    patience,
  };
}

test('every polling client receives every message of the floor, and the stages are in order', async () => {
  const floor = await startFloor('fanout', { sampleEvent });
  try {
    const stages: string[] = [];
    const result = await runLoad('longPoll', polling(floor.address), async (stage) => {
      stages.push(stage);
    });
    assert.equal(result.deliveries, 15);
    assert.deepEqual(stages, ['registered', 'held', 'delivered']);
    assert.equal(JSON.parse(result.sampleEvent).type, 'message');
  } finally {
    await floor.program.stop();
  }
});

test('a closed loop counts responses in the measured time', async () => {
  const floor = await startFloor('fanout', { sampleEvent });
  try {
    const request = requestBytes(floor.address, { method: 'POST', path: '/register', login });
    const requests = [[request], [request]];
    const parameters = { address: floor.address, requests, warmUp: 0.05, seconds: 0.2, countBodies: false };
    const result = await runLoad('closedLoop', parameters);
    assert.ok(result.answers > 0);
    assert.equal(result.rate, result.answers / 0.2);
    assert.ok(result.bodyBytes > 0);
    assert.ok(result.p50 <= result.p99);
  } finally {
    await floor.program.stop();
  }
});

/**
 * A server for registrations, sends and polls. `events` returns the events of a poll, or null for no response, from the
 * last content and the number of earlier polls.
 */
async function serverWith(events: (content: string, poll: number) => object[] | null): Promise<Address> {
  let content = '';
  let polls = 0;
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const url = request.url ?? '';
    let answer: object = { queue_id: 'q', last_event_id: 0 };
    if (url.includes('/messages')) content = new URLSearchParams(Buffer.concat(chunks).toString()).get('content') ?? '';
    if (url.includes('/events')) {
      await until(() => content !== '', 'a message');
      const found = events(content, polls++);
      if (found === null) return;
      answer = { events: found };
    }
    const body = JSON.stringify({ result: 'success', msg: '', ...answer });
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

function message(id: number, content: string): object {
  return { type: 'message', id, message: { content } };
}

interface Fault {
  readonly events: (content: string, poll: number) => object[] | null;
  readonly reason: RegExp;
  readonly patience?: number;
}

const faults: Readonly<Record<string, Fault>> = {
  'a missing message': { events: () => null, reason: /3 deliveries are missing/, patience: 0.3 },
  'a repeated event': { events: (content) => [message(1, content)], reason: /event 1 after 1|came again/ },
  'a message under a second id': {
    events: (content, poll) => [message(poll + 1, content)],
    reason: /has the ids|came again/,
  },
};

for (const [name, { events, reason, patience }] of Object.entries(faults)) {
  test(`${name} fails the load`, async () => {
    await assert.rejects(runLoad('longPoll', polling(await serverWith(events), patience)), reason);
  });
}

test('an error response fails a closed loop', async () => {
  const server = createServer((_, response) => response.writeHead(400).end('{"result":"error","msg":"No such loom"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const requests = [[requestBytes(address, { method: 'GET', path: '/messages' })]];
  const load = runLoad('closedLoop', { address, requests, warmUp: 0, seconds: 0.2, countBodies: false });
  await assert.rejects(load, /400 .*No such loom/);
});

test('clients that are told to return later do so, and all of them register beside the sends', async () => {
  let refusals = 3;
  let registered = 0;
  const server = createServer((request, response) => {
    const isRefused = request.url?.endsWith('/register') && refusals > 0;
    if (isRefused) refusals -= 1;
    else if (request.url?.endsWith('/register')) registered += 1;
    response.setHeader('content-type', 'application/json');
    response.statusCode = isRefused ? 503 : 200;
    response.end(isRefused ? '{"result":"error","retry-after":0.01}' : '{"result":"success","msg":""}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
    const register = requestBytes(address, { method: 'POST', path: '/register', login });
    const result = await runLoad('returnOfAll', {
      address,
      registrations: [register, register, register, register, register],
      sends: [[requestBytes(address, { method: 'POST', path: '/messages', login })]],
      warmUp: 0.05,
      alone: 0.1,
      patience: 120,
    });
    assert.deepEqual([result.refused, registered], [3, 5]);
    assert.ok(result.sendsAlone > 0 && result.bytes > 0);
  } finally {
    server.close();
  }
});
