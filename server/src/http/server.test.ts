import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { defineEndpoint } from '@heddle/api/contract.ts';
import Type from 'typebox';
import { authorization, exchange, form, startSample } from '../testing/server/sample-server.ts';
import { RawFields, rawJson } from './answers/raw-json.ts';
import { route } from './requests/route.ts';

const sample = await startSample();
after(() => sample.server.stop(1000));

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(sample.base + path, init);

// rules: conventions-3, conventions-4
test('a URL-encoded form reaches the handler, and the response has the envelope', async () => {
  const response = await get('/echo', form({ content: 'hé & co', to: '[7]', count: '2' }));
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/);
  assert.deepEqual(await response.json(), {
    result: 'success',
    msg: '',
    content: 'hé & co',
    to: [7],
    count: 2,
    client: 'node',
    caller_id: 16,
  });
});

test('a multipart form reaches the handler, and its files are not parameters', async () => {
  const body = new FormData();
  body.append('content', 'hé');
  body.append('count', '3');
  body.append('file', new Blob(['x']), 'x.txt');
  const response = await get('/echo', { method: 'POST', body, headers: { authorization } });
  assert.deepEqual(await response.json(), {
    result: 'success',
    msg: '',
    content: 'hé',
    count: 3,
    client: 'node',
    caller_id: 16,
  });
});

test('parameters of a POST can be in the query', async () => {
  const response = await get('/echo?content=q', { method: 'POST', headers: { authorization } });
  assert.equal(((await response.json()) as { content: string }).content, 'q');
});

test('an empty JSON body counts as no body, and others are refused with a reason', async () => {
  const headers = { authorization, 'content-type': 'application/json' };
  const empty = await get('/echo?content=q', { method: 'POST', body: '{}', headers });
  assert.equal(empty.status, 200);
  const refused = await get('/echo', { method: 'POST', body: '{"content":"x"}', headers });
  assert.equal(refused.status, 400);
  assert.match(
    ((await refused.json()) as { msg: string }).msg,
    /application\/x-www-form-urlencoded.*not application\/json/,
  );
});

test('malformed multipart bodies are refused', async () => {
  for (const [type, body] of [
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
    ['multipart/form-data', 'x'],
  ] as const) {
    const response = await get('/echo', { method: 'POST', body, headers: { authorization, 'content-type': type } });
    assert.equal(response.status, 400);
  }
});

test('a multipart form with too many parts, or too many headers of a part, is refused', async () => {
  const headers = { authorization, 'content-type': 'multipart/form-data; boundary=x' };
  const refusalOf = async (body: string): Promise<string> => {
    const response = await get('/echo', { method: 'POST', body, headers });
    assert.equal(response.status, 400);
    return ((await response.json()) as { msg: string }).msg;
  };
  const named = 'Content-Disposition: form-data; name="a"';
  assert.match(await refusalOf(`${`--x\r\n${named}\r\n\r\n\r\n`.repeat(60_000)}--x--\r\n`), /at most 1000 parameters/);
  const file = `--x\r\n${named}; filename="f"\r\n\r\n\r\n`;
  assert.match(await refusalOf(`${file.repeat(50_000)}--x--\r\n`), /at most 1000 parameters/);
  assert.match(await refusalOf(`--x\r\n${'A: b\r\n'.repeat(500_000)}${named}\r\n\r\n1\r\n--x--\r\n`), /Malformed/);
});

test('a boundary may be quoted, and is read from the parameter named boundary', async () => {
  const body = '--a b\r\nContent-Disposition: form-data; name="content"\r\n\r\nwrong\r\n--a b--\r\n';
  const right = body.replaceAll('a b', 'ab').replace('wrong', 'right');
  const post = (type: string, form: string) =>
    get('/echo', { method: 'POST', body: form, headers: { authorization, 'content-type': type } });
  assert.equal((await post('multipart/form-data; boundary="a b"', body)).status, 400);
  for (const type of ['multipart/form-data; boundary="ab"', 'multipart/form-data; xboundary=x; Boundary=ab']) {
    const response = await post(type, right);
    assert.equal(((await response.json()) as { content: string }).content, 'right');
  }
});

test('plus signs in a form are spaces, encoded ones are not', async () => {
  const init = { method: 'POST', headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' } };
  const response = await get('/echo', { ...init, body: 'content=+a+%2B%20\u00e9+b+' });
  assert.equal(((await response.json()) as { content: string }).content, ' a + \u00e9 b ');
  const inQuery = await get('/echo?content=a+b%2Bc', { ...init, body: '' });
  assert.equal(((await inQuery.json()) as { content: string }).content, 'a b+c');
});

test('a form of several megabytes is parsed like a small one, and refused if it has too many fields', async () => {
  const init = { method: 'POST', headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' } };
  const body = `count=7&content=${'a+%2B%F0%9F%98%80é'.repeat(120_000)}`;
  const large = (await (await get('/echo', { ...init, body })).json()) as { content: string; count: number };
  assert.equal(large.content, 'a +😀é'.repeat(120_000));
  assert.equal(large.count, 7);
  const many = await get('/echo', { ...init, body: `content=x&${'a&'.repeat(1_000_000)}` });
  assert.equal(many.status, 400);
  assert.match(((await many.json()) as { msg: string }).msg, /at most 1000 parameters/);
  assert.equal((await get('/echo', { ...init, body: 'a'.repeat(5_000_000) })).status, 413);
});

// rules: conventions-5
test('unknown parameters are returned as ignored, in alphabetical order', async () => {
  const response = await get('/echo?sooner=1', form({ content: 'x', later: '1' }));
  const body = (await response.json()) as { ignored_parameters_unsupported: string[] };
  assert.deepEqual(body.ignored_parameters_unsupported, ['later', 'sooner']);
});

// rules: conventions-5
test('ignored parameters are added to serialized bodies, strings or bytes', async () => {
  const ignored = ['x'];
  const text = await (await get('/raw?x=1')).json();
  assert.deepEqual(text, { result: 'success', msg: '', known: false, ignored_parameters_unsupported: ignored });
  const bytes = await (await get('/raw?x=1', { headers: { authorization } })).json();
  assert.deepEqual(bytes, { result: 'success', msg: '', known: true, ignored_parameters_unsupported: ignored });
});

// rules: conventions-6
test('the error for a missing parameter has its name', async () => {
  const response = await get('/echo', form({}));
  assert.equal(response.status, 400);
  assert.deepEqual(await response.json(), {
    result: 'error',
    msg: "Missing 'content' argument",
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'content',
  });
});

test('integers and other segments at the same position of a path select different endpoints', async () => {
  assert.deepEqual(await (await get('/users/17')).json(), { result: 'success', msg: '', user_id: 17 });
  assert.deepEqual(await (await get('/users/a%2Fb@example.com')).json(), {
    result: 'success',
    msg: '',
    email: 'a/b@example.com',
  });
  assert.equal(((await (await get('/users/17', { method: 'PATCH' })).json()) as { email: string }).email, '17');
});

test('a rest parameter of a path keeps its slashes', async () => {
  const response = await get('/views/narrow/is/starred%20x?hard=true', { method: 'DELETE' });
  assert.deepEqual(await response.json(), {
    result: 'success',
    msg: '',
    fragment: 'narrow/is/starred x',
    hard: true,
  });
});

test('DELETE also accepts parameters from a form', async () => {
  const response = await get('/views/x', { method: 'DELETE', body: new URLSearchParams({ hard: 'true' }) });
  assert.equal(((await response.json()) as { hard: boolean }).hard, true);
});

// rules: conventions-1
test('an unknown path is a JSON 404', async () => {
  for (const path of ['/nothing', '/views', '/users/1/2', '/users/%00/x']) {
    const response = await get(path);
    assert.equal(response.status, 404, path);
    assert.deepEqual(await response.json(), { result: 'error', msg: 'Not found', code: 'NOT_FOUND' });
  }
});

// rules: conventions-2
test('a known path with another method is a 405 with the allowed methods', async () => {
  const response = await get('/users/someone', { method: 'DELETE' });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS, PATCH');
  assert.deepEqual(await response.json(), {
    result: 'error',
    msg: 'Method Not Allowed',
    code: 'METHOD_NOT_ALLOWED',
    allowed_methods: ['GET', 'HEAD', 'OPTIONS', 'PATCH'],
  });
});

test('responses to OPTIONS and HEAD have no body', async () => {
  const options = await get('/echo', { method: 'OPTIONS' });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get('allow'), 'OPTIONS, POST');
  assert.equal(options.headers.get('access-control-allow-origin'), '*');
  const head = await get('/users/17', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
});

// rules: files-8
test('CORS allows credentials and the headers of resumable uploads', async () => {
  const { headers } = await get('/echo', { method: 'OPTIONS' });
  const allowed = headers.get('access-control-allow-headers')?.split(', ') ?? [];
  for (const name of [
    'Authorization',
    'Content-Type',
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Offset',
  ])
    assert.ok(allowed.includes(name), name);
});

test('an unknown subdomain is a 404', async () => {
  const received = await exchange(
    sample.port,
    'GET /api/v1/users/1 HTTP/1.1\r\nHost: nowhere.example.com\r\nConnection: close\r\n\r\n',
  );
  assert.match(received, /^HTTP\/1.1 404 /);
  assert.match(received, /"code":"NONEXISTENT_SUBDOMAIN"/);
});

test('bodies over the limit are a 413', async () => {
  const response = await get('/echo', form({ content: 'x'.repeat(5_000_000) }));
  assert.equal(response.status, 413);
  assert.equal(((await response.json()) as { code: string }).code, 'PAYLOAD_TOO_LARGE');
});

test('a compressed body is a 415 for every kind of body', async () => {
  const request = form({ content: 'x' });
  const sent = (encoding: string, path = '/echo') =>
    get(path, { ...request, headers: { ...request.headers, 'content-encoding': encoding } });
  for (const encoding of ['gzip', 'br', 'GZIP, identity']) {
    const response = await sent(encoding);
    assert.equal(response.status, 415);
    const { result, msg, code } = (await response.json()) as Record<string, string>;
    assert.deepEqual({ result, code }, { result: 'error', code: 'UNSUPPORTED_MEDIA_TYPE' });
    assert.equal(msg, `Content-Encoding '${encoding.toLowerCase()}' is not supported; send the body uncompressed`);
  }
  assert.equal((await sent('gzip', '/uploads')).status, 415);
  assert.equal((await sent('identity')).status, 200);
});

test('an internal error is a 500 without details, and the details are logged', async () => {
  const response = await get('/failing?password=hunter2');
  assert.equal(response.status, 500);
  assert.deepEqual(await response.json(), {
    result: 'error',
    msg: 'Internal server error',
    code: 'INTERNAL_SERVER_ERROR',
  });
  const id = response.headers.get('x-request-id');
  assert.ok(id);
  const line = sample
    .logged()
    .split('\n')
    .find((entry) => entry.includes('the disk is on fire'));
  assert.ok(line?.includes(id));
});

test('logs contain no credentials, no parameters and no email addresses', async () => {
  await get('/echo?password=hunter2', form({ content: 'a secret', api_key: 'hunter2' }));
  await get('/users/hamlet@example.com');
  await get('/nothing?api_key=hunter2');
  assert.match(sample.logged(), /"path":"\/api\/v1\/users\/\{email\}"/);
  assert.doesNotMatch(sample.logged(), /hunter2|a secret|hamlet|aWFnb0BleGFtcGxlLmNvbT/);
});

test('the client name comes from the user agent or from the parameter', async () => {
  const nameFor = async (agent: string, fields: Record<string, string> = {}): Promise<string> => {
    const init = form({ content: 'x', ...fields });
    const response = await get('/echo', { ...init, headers: { authorization, 'user-agent': agent } });
    return ((await response.json()) as { client: string }).client;
  };
  assert.equal(await nameFor('ZulipPython/0.9'), 'ZulipPython');
  assert.equal(await nameFor('ZulipPython/0.9', { client: 'MyBot' }), 'MyBot');
});

const large = defineEndpoint({
  operationId: 'get-much',
  method: 'GET',
  path: '/much',
  area: 'samples',
  summary: 'More than is copied together',
  authentication: 'none',
  parameters: {},
  response: Type.Object({ list: Type.Array(Type.String()) }),
  errors: [],
});

const several = defineEndpoint({
  operationId: 'get-several',
  method: 'GET',
  path: '/several',
  area: 'samples',
  summary: 'Several fields, two of them together',
  authentication: 'none',
  parameters: {},
  response: Type.Object({
    first: Type.Integer(),
    list: Type.Array(Type.String()),
    last: Type.Optional(Type.Null()),
    end: Type.Array(Type.String()),
  }),
  errors: [],
});

test('a large response in several buffers arrives complete, with its length, also with ignored parameters', async (t) => {
  const item = 'x'.repeat(100_000);
  const pieces = ['["', item, '","', item, '","', item, '"]'].map((text) => Buffer.from(text));
  const own = await startSample('off', false, [route(large, {}, () => ({ list: rawJson(pieces) }))]);
  t.after(() => own.server.stop(1000));
  for (const query of ['', '?later=1']) {
    const response = await fetch(`${own.base}/much${query}`, { headers: { 'accept-encoding': 'identity' } });
    const text = await response.text();
    assert.equal(Number(response.headers.get('content-length')), text.length);
    const { list, ignored_parameters_unsupported: ignored } = JSON.parse(text);
    assert.deepEqual(list, [item, item, item]);
    assert.deepEqual(ignored, query === '' ? undefined : ['later']);
  }
});

test('fields that are serialized together have the same response as separate fields, of any length', async (t) => {
  const item = 'ä'.repeat(10);
  for (const count of [1, 5000]) {
    const list = Array.from({ length: count }, () => item);
    const own = await startSample('off', false, [
      route(several, {}, () => ({ first: 1, list: new RawFields({ list, last: null }), end: [] })),
    ]);
    t.after(() => own.server.stop(1000));
    const response = await fetch(`${own.base}/several`);
    assert.deepEqual(await response.json(), { result: 'success', msg: '', first: 1, list, last: null, end: [] });
  }
});

test('a server that stops answers the requests that have arrived, on connections that are idle or new', async () => {
  const own = await startSample('off', false, [
    route(several, {}, () => ({ first: 1, list: [], last: null, end: [] })),
  ]);
  const { host, hostname, port } = new URL(own.base);
  const request = `GET ${new URL(`${own.base}/several`).pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const opened = () => {
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    const received: string[] = [];
    socket.on('data', (text: string) => received.push(text));
    return { socket, received, ended: once(socket, 'close') };
  };
  const used = opened();
  used.socket.write(request);
  await once(used.socket, 'data');
  const fresh = opened();
  await once(fresh.socket, 'connect');
  // The system has these bytes, and the server has not read them.
  for (const { socket } of [used, fresh]) socket.write(request);
  await own.server.stop(60_000);
  for (const { ended } of [used, fresh]) await ended;
  const answers = [used, fresh].map(({ received }) => received.join('').split('"result":"success"').length - 1);
  assert.deepEqual(answers, [2, 1]);
});
