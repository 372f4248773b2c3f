// timeouts: real
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { smallLimits } from '../../testing/server/sample-files.ts';
import { authorization, exchange, startSample } from '../../testing/server/sample-server.ts';
import { until } from '../../testing/server/until.ts';
import { cleanFileName } from './file-bodies.ts';
import { openBody } from './request-bodies.ts';

const sample = await startSample();
after(() => sample.server.stop(1000));

const megabyte = Buffer.alloc(1024 * 1024, 'x');
const opening = (name = 'x.bin'): string =>
  `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`;
const field = (name: string, value = '1'): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const closing = '\r\n--x--\r\n';
const multipart = 'multipart/form-data; boundary=x';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the server holds it against the contract
  readonly body: any;
}

/** Starts a request whose body the test writes in chunks. */
function begin(method: string, path: string, contentType: string, headers: Record<string, string> = {}) {
  const outgoing = request(sample.base + path, {
    method,
    headers: { authorization, 'content-type': contentType, ...headers },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', async (incoming) => {
      let text = '';
      for await (const chunk of incoming) text += chunk;
      resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) });
    });
  });
  answer.catch(() => undefined);
  return { outgoing, answer };
}

async function send(path: string, contentType: string, body: string | Buffer, method = 'POST'): Promise<Answer> {
  const { outgoing, answer } = begin(method, path, contentType);
  outgoing.end(body);
  return answer;
}

/** Writes 200 MB. After the first chunk it waits until the handler has received bytes. */
async function sendMuch(outgoing: ReturnType<typeof begin>['outgoing'], end: string): Promise<void> {
  const seen = new Promise<void>((resolve) => {
    sample.arrivals.onProgress = () => resolve();
  });
  outgoing.write(megabyte);
  await seen;
  let reached = 1;
  let most = 0;
  sample.arrivals.onProgress = (bytes) => {
    most = Math.max(most, reached * megabyte.length - bytes);
  };
  for (let count = 1; count < 200; count += 1) {
    reached += 1;
    if (!outgoing.write(megabyte)) await once(outgoing, 'drain');
  }
  outgoing.end(end);
  assert.ok(most < 32 * megabyte.length, `${most} bytes were between client and handler`);
}

test('a file of 200 MB is processed while it arrives, and never held in memory as a whole', async () => {
  const { outgoing, answer } = begin('POST', '/uploads', multipart);
  outgoing.write(opening('käse.png'));
  await sendMuch(outgoing, closing);
  assert.deepEqual((await answer).body, {
    result: 'success',
    msg: '',
    name: 'käse.png',
    type: 'image/png',
    bytes: 200 * megabyte.length,
  });
});

test('the same holds for 200 MB of raw bytes', async () => {
  const { outgoing, answer } = begin('PATCH', '/uploads/7', 'application/octet-stream');
  await sendMuch(outgoing, '');
  const { body } = await answer;
  assert.deepEqual([body.name, body.type, body.bytes], ['7', 'application/octet-stream', 200 * megabyte.length]);
});

test('fields before the file are parameters, and fields after it are reported as ignored', async () => {
  const { body } = await send(
    '/uploads',
    multipart,
    `${field('topic', 'ä')}${opening()}abc\r\n${field('refuse', 'true')}--x--\r\n`,
  );
  assert.deepEqual([body.topic, body.bytes], ['ä', 3]);
  assert.deepEqual(body.ignored_parameters_unsupported, ['refuse']);
  const inQuery = await send('/uploads?topic=q', multipart, `${opening()}abc${closing}`);
  assert.equal(inQuery.body.topic, 'q');
  const missing = await send('/uploads/strict', multipart, `${opening()}abc\r\n${field('topic')}--x--\r\n`);
  assert.equal(missing.body.code, 'REQUEST_VARIABLE_MISSING');
});

test('an empty file is accepted as a file, and an empty body as bytes', async () => {
  assert.equal((await send('/uploads', multipart, opening() + closing)).body.bytes, 0);
  assert.equal((await send('/uploads/7', 'application/octet-stream', '', 'PATCH')).body.bytes, 0);
});

test('forms that are malformed, truncated, without a file or with two files are refused', async () => {
  const bodies: readonly (readonly [string, string, RegExp])[] = [
    [multipart, `${opening()}abc`, /Malformed/],
    [multipart, 'nonsense', /Malformed|must specify a file/],
    [multipart, '', /Malformed|must specify a file/],
    [multipart, `${field('topic')}--x--\r\n`, /must specify a file/],
    [multipart, `${opening()}a\r\n${opening()}b${closing}`, /one file at a time/],
    ['multipart/form-data', 'x', /Malformed/],
    ['application/x-www-form-urlencoded', 'topic=1', /must specify a file/],
    ['application/json', '{}', /must be sent as multipart\/form-data/],
  ];
  for (const [type, body, message] of bodies) {
    const answer = await send('/uploads', type, body);
    assert.equal(answer.status, 400, body);
    assert.match(answer.body.msg, message, body);
  }
});

test('the number and the length of fields are bounded', async () => {
  const many = ['topic', 'a', 'b', 'c'].map((name) => field(name)).join('');
  const answer = await send('/uploads/strict', multipart, many + opening() + closing);
  assert.match(answer.body.msg, /too many fields/);
  const manyAfter = `${field('topic')}${opening()}abc\r\n${many}--x--\r\n`;
  assert.match((await send('/uploads/strict', multipart, manyAfter)).body.msg, /too many fields/);
  const long = await send('/uploads', multipart, field('topic', 'x'.repeat(70_000)) + opening() + closing);
  assert.match(long.body.msg, /longer than/);
});

test('a body above the limit is refused, with and without a Content-Length', async () => {
  const large = Buffer.alloc(2 * smallLimits.maximumBytes, 'x');
  const said = await send(
    '/uploads/strict',
    multipart,
    Buffer.concat([Buffer.from(field('topic') + opening()), large]),
  );
  assert.deepEqual([said.status, said.body.code], [413, 'PAYLOAD_TOO_LARGE']);
  const { outgoing, answer } = begin('POST', '/uploads/strict', multipart, { 'transfer-encoding': 'chunked' });
  outgoing.write(field('topic') + opening());
  outgoing.end(large);
  assert.deepEqual([(await answer).status, (await answer).body.code], [413, 'PAYLOAD_TOO_LARGE']);
});

test('a body that takes too long to arrive is refused', async () => {
  const { outgoing, answer } = begin('POST', '/uploads/strict', multipart);
  outgoing.write(`${field('topic')}${opening()}abc`);
  assert.deepEqual([(await answer).status, (await answer).body.code], [408, 'REQUEST_TIMEOUT']);
  outgoing.destroy();
});

test('if the client hangs up during the body, the handler’s read fails, and the server keeps running', async () => {
  for (const [path, head] of [
    ['/uploads', opening()],
    ['/uploads/7', ''],
  ] as const) {
    const { outgoing } = begin(path === '/uploads' ? 'POST' : 'PATCH', path, head === '' ? 'text/plain' : multipart);
    outgoing.on('error', () => undefined);
    const { failed } = sample.arrivals;
    sample.arrivals.onProgress = () => outgoing.destroy();
    outgoing.write(`${head}${'x'.repeat(100_000)}`);
    assert.match(String(await failed), /connection was closed/);
  }
  assert.doesNotMatch(sample.logged(), /a request failed/);
});

/** A request that has arrived at a server, and its client. */
async function arrived(
  t: TestContext,
  body: Buffer,
): Promise<{ readonly raw: IncomingMessage; hangUp(): Promise<void> }> {
  const arriving = Promise.withResolvers<IncomingMessage>();
  const server = createServer((raw) => arriving.resolve(raw)).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const outgoing = request({ method: 'POST', host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  outgoing.on('error', () => undefined);
  outgoing.end(body);
  const raw = await arriving.promise;
  return {
    raw,
    async hangUp() {
      const closed = new Promise((resolve) => raw.once('close', resolve));
      outgoing.destroy();
      await closed;
    },
  };
}

test('if the client hangs up before all received data is read, the read fails at once', async (t) => {
  const { raw, hangUp } = await arrived(t, Buffer.alloc(100_000));
  const { content, close } = openBody({ raw, headers: raw.headers }, { maximumBytes: 1_000_000, withinSeconds: 5 });
  t.after(close);
  await until(() => raw.complete, 'the whole request');
  assert(!raw.readableEnded, 'some data is unread');
  await hangUp();
  await assert.rejects(content.toArray(), /connection was closed/);
});

test('if the client hangs up before the handler opens the body, the read fails at once', async (t) => {
  const { raw, hangUp } = await arrived(t, Buffer.alloc(100_000));
  await hangUp();
  const { content, close } = openBody({ raw, headers: raw.headers }, { maximumBytes: 1_000_000, withinSeconds: 3600 });
  t.after(close);
  await assert.rejects(content.toArray(), /connection was closed/);
});

test('a refusal is sent while the body is still arriving', async () => {
  for (const [method, path, type] of [
    ['POST', '/uploads?refuse=true', multipart],
    ['PATCH', '/uploads/7?refuse=true', 'application/octet-stream'],
  ] as const) {
    const { outgoing, answer } = begin(method, path, type, { 'content-length': '100000000' });
    outgoing.on('error', () => undefined);
    outgoing.write(`${opening()}${'x'.repeat(100_000)}`);
    assert.equal((await answer).status, 404, path);
    outgoing.destroy();
  }
});

test('a body that is no longer read does not keep its connection open', async () => {
  const { outgoing, answer } = begin('POST', '/uploads?refuse=true', multipart, { 'content-length': '100000000' });
  outgoing.on('error', () => undefined);
  outgoing.write(`${opening()}abc`);
  const closed = once(outgoing, 'close');
  assert.equal((await answer).status, 404);
  await closed;
});

test('without valid credentials the server does not wait for the body', async () => {
  const { outgoing, answer } = begin('POST', '/uploads', multipart, { authorization: 'Basic eDp5' });
  outgoing.on('error', () => undefined);
  outgoing.write(`${opening()}abc`);
  assert.equal((await answer).status, 401);
  outgoing.destroy();
});

test('after an upload the connection serves the next request', async () => {
  const form = `${opening()}abc${closing}`;
  const head = `POST /api/v1/uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: ${multipart}\r\nContent-Length: ${form.length}\r\n`;
  const both = `${head}\r\n${form}${head}Connection: close\r\n\r\n${form}`;
  const received = await exchange(sample.port, both);
  assert.equal(received.match(/"bytes":3/g)?.length, 2);
});

test('a form that arrives too slowly loses its connection', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const socket = connect(sample.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  socket.write(
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n\r\nusername=',
  );
  const closed = once(socket, 'close');
  // The server responds to this request only after it has received the first one.
  await exchange(sample.port, 'GET /api/v1/users/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  t.mock.timers.tick(60_000);
  await closed;
  assert.match(received, /^HTTP\/1\.1 408 .*REQUEST_TIMEOUT/s);
});

test('the file name is the last segment of the sent name, without invalid characters', () => {
  const names: readonly (readonly [string, string])[] = [
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a b.txt', 'a b.txt'],
    ['a\0b\r\nc.txt', 'abc.txt'],
    ['..', 'unnamed'],
    ['', 'unnamed'],
    ['dir/', 'unnamed'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['\uD800x', '\uFFFDx'],
  ];
  for (const [sent, expected] of names) assert.equal(cleanFileName(sent), expected);
  const long = cleanFileName(`${'ä'.repeat(300)}.tar.gz`);
  assert.ok(Buffer.byteLength(long) <= 255 && long.endsWith('ä.gz'));
});

test('a hostile file name in a form is cleaned', async () => {
  for (const [sent, expected] of [
    ['../../x.sh', 'x.sh'],
    ['a\0b', 'ab'],
  ] as const) {
    assert.equal((await send('/uploads', multipart, `${opening(sent)}abc${closing}`)).body.name, expected);
  }
});

test('a part without a file name is not a file, as when no file was chosen in a browser', async () => {
  for (const content of ['', 'abc']) {
    const form = `${opening('')}${content}${closing}`;
    const { status, body } = await send('/uploads', multipart, form);
    assert.deepEqual([status, body.msg], [400, 'You must specify a file to upload']);
    const { body: optional } = await send('/uploads/perhaps', multipart, `${field('topic', 'a b')}${form}`);
    assert.deepEqual(optional, { result: 'success', msg: '', topic: 'a b', bytes: -1 });
  }
});

test('an endpoint with an optional file accepts every kind of form, up to a limit', async () => {
  const form = 'application/x-www-form-urlencoded';
  const path = '/uploads/perhaps';
  for (const [type, body, bytes] of [
    [multipart, `${field('topic', 'a b')}${opening()}xyz${closing}`, 3],
    [multipart, `${field('topic', 'a b')}--x--\r\n`, -1],
    [form, 'topic=a+b', -1],
  ] as const) {
    assert.deepEqual((await send(path, type, body)).body, { result: 'success', msg: '', topic: 'a b', bytes });
  }
  for (const [type, body, status] of [
    ['application/json', '{"topic":"a"}', 400],
    ['application/json', '{}', 400],
    [form, '', 400],
    [multipart, opening(), 400],
    [form, `topic=${'a'.repeat(200_000)}`, 413],
  ] as const) {
    assert.equal((await send(path, type, body)).status, status, `${type} ${body.slice(0, 20)}`);
  }
});
