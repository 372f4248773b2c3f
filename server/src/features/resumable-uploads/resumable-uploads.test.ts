import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import { collectFiles, credentials, open, tryUpload } from '../../testing/clients/user-files.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';

let server: TestServer;
let ada: TestClient;
let ben: TestClient;
before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB: '2', HEDDLE_UPLOAD_QUOTA_MIB: '4' },
  });
  ada = await server.user({ name: 'Ada' });
  ben = await server.user({ name: 'Ben' });
});
after(() => server.stop());

const PROTOCOL = { 'tus-resumable': '1.0.0' };
const BYTES = { ...PROTOCOL, 'content-type': 'application/offset+octet-stream' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

function tus(
  client: TestClient | undefined,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer,
) {
  return fetch(`${server.url}${path}`, {
    method,
    headers: { ...(client && credentials(client)), ...headers },
    ...(body && { body: new Uint8Array(body) }),
  });
}

/** Creates an upload as the web app does. Returns the path of its URL. */
async function begin(client: TestClient, size: number, name = 'loom.txt', type = 'text/plain'): Promise<string> {
  const response = await tus(client, 'POST', '/api/v1/tus/', {
    ...PROTOCOL,
    'upload-length': String(size),
    'upload-metadata': `filename ${base64(name)},filetype ${base64(type)}`,
  });
  assert.equal(response.status, 201, await response.text());
  const { origin, pathname } = new URL(response.headers.get('location') ?? '');
  assert.equal(origin, new URL(server.url).origin);
  assert.match(pathname, /^\/api\/v1\/tus\/[0-9a-f]{32}$/);
  return pathname;
}

function patch(client: TestClient, location: string, offset: number, content: string | Buffer) {
  return tus(client, 'PATCH', location, { ...BYTES, 'upload-offset': String(offset) }, Buffer.from(content));
}

async function offsetOf(client: TestClient, location: string): Promise<number> {
  const response = await tus(client, 'HEAD', location, PROTOCOL);
  assert.equal(response.status, 200);
  return Number(response.headers.get('upload-offset'));
}

// rules: files-8
test('a null byte in the metadata or in the path of an upload is a client error', async () => {
  const metadata = `filename ${base64('lo\0om.txt')}`;
  const begun = await tus(ada, 'POST', '/api/v1/tus/', {
    ...PROTOCOL,
    'upload-length': '10',
    'upload-metadata': metadata,
  });
  assert.equal(begun.status, 400);
  const asked = await tus(ada, 'HEAD', '/api/v1/tus/%00', PROTOCOL);
  assert([400, 404].includes(asked.status), `${asked.status}`);
});

// rules: files-8
test('an upload can be sent in chunks, and the last response has the URL and the filename', async () => {
  const location = await begin(ada, 10, 'my [first] pattern.txt');
  const first = await patch(ada, location, 0, '01234');
  assert.equal(first.status, 204);
  assert.equal(first.headers.get('upload-offset'), '5');
  assert.equal(await offsetOf(ada, location), 5);
  const last = await patch(ada, location, 5, '56789');
  assert.equal(last.status, 200);
  assert.match(last.headers.get('content-type') ?? '', /^application\/json/);
  const { url, filename } = await last.json();
  assert.equal(filename, 'my [first] pattern.txt');
  assert.match(url, /\/my-first-pattern.txt$/);
  const response = await open(server.url, ada, url);
  assert.equal(await response.text(), '0123456789');
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal((await open(server.url, ben, url)).status, 404);
  const again = await tus(ada, 'HEAD', location, PROTOCOL);
  assert.equal(again.status, 404);
});

// rules: files-8
test('the Location header has the host of the request, and the scheme of the organization’s URL for its own host', async () => {
  const behindTls = await startTestServer({
    shared: server.shared,
    environment: { HEDDLE_URL: 'https://chat.example.com' },
  });
  const client = await behindTls.sameUser(ada);
  try {
    for (const [host, scheme] of [
      ['chat.example.com', 'https'],
      ['127.0.0.1:1234', 'http'],
    ] as const) {
      const begun = await client.ask('POST', '/api/v1/tus/', {}, { host, ...PROTOCOL, 'upload-length': '1' });
      assert.match(String(begun.headers.location), new RegExp(`^${scheme}://${host}/api/v1/tus/[0-9a-f]{32}$`));
    }
  } finally {
    await behindTls.stop();
  }
});

// rules: files-8
test('a chunk with a wrong offset is refused, and the uploaded data stays', async () => {
  const location = await begin(ada, 10);
  assert.equal((await patch(ada, location, 3, 'x')).status, 409);
  assert.equal((await patch(ada, location, 0, '012')).status, 204);
  assert.equal((await patch(ada, location, 0, 'xxx')).status, 409);
  assert.equal(await offsetOf(ada, location), 3);
  assert.equal((await tus(ada, 'DELETE', location, PROTOCOL)).status, 204);
  assert.equal((await tus(ada, 'HEAD', location, PROTOCOL)).status, 404);
});

// rules: files-8
test('users cannot continue, query or delete uploads of others', async () => {
  const location = await begin(ada, 4);
  const outsider = await server.organization('strangers');
  for (const other of [ben, outsider]) {
    const host = other === outsider ? { host: `strangers.localhost:${new URL(server.url).port}` } : {};
    for (const [method, headers] of [
      ['HEAD', PROTOCOL],
      ['PATCH', { ...BYTES, 'upload-offset': '0', 'content-length': '0' }],
      ['DELETE', PROTOCOL],
    ] as const) {
      const { status } = await other.ask(method, location, {}, { ...host, ...headers });
      assert.equal(status, 404, method);
    }
  }
  assert.equal((await tus(undefined, 'HEAD', location, PROTOCOL)).status, 401);
  assert.equal(await offsetOf(ada, location), 0);
});

// rules: files-8
test('data sent before a connection broke is kept, also for another process', async () => {
  const location = await begin(ada, 100_000);
  await new Promise<void>((resolve) => {
    const outgoing = request(`${server.url}${location}`, {
      method: 'PATCH',
      headers: { ...credentials(ada), ...BYTES, 'upload-offset': '0', 'content-length': '100000' },
    });
    outgoing.on('error', () => undefined);
    outgoing.on('close', () => resolve());
    outgoing.write(Buffer.alloc(60_000, 'a'), () => undefined);
    void (async () => {
      // A request to the server would end the pending one.
      const key = location.split('/').at(-1) ?? '';
      await until(async () => (await server.app.piecewise.lengthOf(key)) > 0, 'the first received bytes');
      outgoing.destroy();
    })();
  });
  const second = await startTestServer({
    shared: server.shared,
    environment: { HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB: '2' },
  });
  try {
    const found = await fetch(`${second.url}${location}`, {
      method: 'HEAD',
      headers: { ...credentials(ada), ...PROTOCOL },
    });
    const offset = Number(found.headers.get('upload-offset'));
    assert(offset > 0 && offset <= 60_000);
    const rest = await fetch(`${second.url}${location}`, {
      method: 'PATCH',
      headers: { ...credentials(ada), ...BYTES, 'upload-offset': String(offset) },
      body: new Uint8Array(Buffer.alloc(100_000 - offset, 'b')),
    });
    assert.equal(rest.status, 200);
    const { url } = await rest.json();
    const text = await (await open(server.url, ada, url)).text();
    assert.equal(text, 'a'.repeat(offset) + 'b'.repeat(100_000 - offset));
  } finally {
    await second.stop();
  }
});

// rules: files-8
test('too large files, unknown lengths, and files beyond the organization’s quota are refused with tus errors', async () => {
  const create = async (headers: Record<string, string>) => {
    const response = await tus(ada, 'POST', '/api/v1/tus', { ...PROTOCOL, ...headers });
    return { status: response.status, text: await response.text() };
  };
  const large = await create({ 'upload-length': String(2 * 1024 * 1024 + 1) });
  assert.equal(large.status, 413);
  assert.equal(JSON.parse(large.text).message, 'Uploaded file is larger than the allowed limit of 2 MiB');
  assert.equal((await create({ 'upload-defer-length': '1' })).status, 501);
  assert.equal((await create({ 'upload-length': '-1' })).status, 400);
  assert.equal((await create({})).status, 400);
  for (let turn = 0; turn < 2; turn++) {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(2 * 1024 * 1024 - 100_000)]), 'x');
    const response = await fetch(`${server.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: credentials(ben),
      body: form,
    });
    assert.equal(response.status, 200);
  }
  const full = await create({ 'upload-length': String(1024 * 1024) });
  assert.equal(full.status, 413);
  assert.equal(JSON.parse(full.text).message, "Upload would exceed your organization's upload quota.");
});

// rules: files-8
test('a user has a bounded number of unfinished uploads, and abandoned ones are collected', async () => {
  const many = await server.user();
  const locations: string[] = [];
  for (let count = 0; count < 20; count++) locations.push(await begin(many, 5));
  const refused = await tus(many, 'POST', '/api/v1/tus', { ...PROTOCOL, 'upload-length': '5' });
  assert.equal(refused.status, 400);
  assert.equal((await refused.json()).message, 'Too many unfinished uploads');
  await collectFiles(server);
  assert.equal((await tus(many, 'HEAD', locations[0] ?? '', PROTOCOL)).status, 404);
  await begin(many, 5);
});

// rules: files-8
test('a small file can be sent in the request that creates the upload', async () => {
  const response = await tus(ada, 'POST', '/api/v1/tus', { ...BYTES, 'upload-length': '5' }, Buffer.from('small'));
  assert.equal(response.status, 200);
  const { url, filename } = await response.json();
  assert.equal(filename, 'unnamed');
  assert.equal(await (await open(server.url, ada, url)).text(), 'small');
});

test('a request with another protocol version, or without one, gets 412 and changes nothing', async () => {
  const location = await begin(ada, 5);
  for (const version of ['0.2.2', '1.0.1', undefined]) {
    const header: Record<string, string> = version === undefined ? {} : { 'tus-resumable': version };
    const bytes = { ...BYTES, ...header, 'upload-offset': '0' };
    const { 'tus-resumable': _, ...withoutVersion } = bytes;
    for (const [method, path, headers, body] of [
      ['POST', '/api/v1/tus', { ...header, 'upload-length': '5' }, undefined],
      ['HEAD', location, header, undefined],
      ['PATCH', location, version === undefined ? withoutVersion : bytes, Buffer.from('tiny!')],
      ['DELETE', location, header, undefined],
    ] as const) {
      const response = await tus(ada, method, path, headers, body);
      assert.equal(response.status, 412, `${method} ${version}`);
      assert.equal(response.headers.get('tus-version'), '1.0.0');
      assert.equal(response.headers.get('tus-resumable'), '1.0.0');
    }
  }
  assert.equal(await offsetOf(ada, location), 0);
});

// rules: files-8
test('OPTIONS returns the supported protocol features, without credentials', async () => {
  for (const path of ['/api/v1/tus', '/api/v1/tus/']) {
    const { status, headers } = await tus(undefined, 'OPTIONS', path, {});
    assert.equal(status, 204);
    assert.equal(headers.get('tus-version'), '1.0.0');
    assert.equal(headers.get('tus-resumable'), '1.0.0');
    assert.deepEqual(headers.get('tus-extension')?.split(','), ['creation', 'creation-with-upload', 'termination']);
    assert.equal(headers.get('tus-max-size'), String(2 * 1024 * 1024));
    assert.match(headers.get('access-control-allow-headers') ?? '', /Upload-Offset/);
  }
  const other = await tus(undefined, 'OPTIONS', '/api/v1/messages', {});
  assert.equal(other.headers.get('tus-version'), null);
});

// rules: files-5
test('the full length of an unfinished upload counts towards the organization’s quota', async () => {
  const tight = await startTestServer({ environment: { HEDDLE_UPLOAD_QUOTA_MIB: '2' } });
  try {
    const cleo = await tight.user();
    const dan = await tight.user();
    const create = (client: TestClient, size: number) =>
      fetch(`${tight.url}/api/v1/tus`, {
        method: 'POST',
        headers: { ...credentials(client), ...PROTOCOL, 'upload-length': String(size) },
      });
    const first = await create(cleo, 1_500_000);
    assert.equal(first.status, 201);
    assert.equal((await create(dan, 1_000_000)).status, 413);
    const small = await tryUpload(tight.url, dan, Buffer.alloc(100_000));
    assert.equal(small.status, 200);
    const large = await tryUpload(tight.url, dan, Buffer.alloc(700_000));
    assert.deepEqual([large.status, large.body.code], [400, 'REALM_UPLOAD_QUOTA']);
    const location = first.headers.get('location') ?? '';
    const headers = { ...credentials(cleo), ...PROTOCOL };
    assert.equal((await fetch(location, { method: 'DELETE', headers })).status, 204);
    assert.equal((await tryUpload(tight.url, dan, Buffer.alloc(700_000))).status, 200);
  } finally {
    await tight.stop();
  }
});
