import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { accountAt } from '@heddle/server/testing/faults/command-line-accounts.ts';
import { startKillable } from '@heddle/server/testing/faults/killable-server.ts';
import { startStallingProxy } from '@heddle/server/testing/faults/stalling-proxy.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { freePort } from '@heddle/server/testing/services/ports.ts';
import { Connection } from './connection.ts';
import { isApiError, NetworkError } from './errors.ts';
import type { NamedBlob } from './operation.ts';
import { getAttachments } from './operations.ts';
import { discardUpload, UploadError, type UploadProgress, type UploadRecord, uploadFile } from './uploads.ts';

const MIB = 1024 * 1024;

let server: TestServer;
before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB: '4' },
  });
});
after(() => server.stop());

function connectionOf({ email, apiKey }: TestClient, url = server.url, ownFetch = fetch): Connection {
  return new Connection({ url, credentials: { email, apiKey }, fetch: ownFetch });
}

/** A file whose bytes reveal a chunk at a wrong place. */
function fileOf(size: number, name = 'warp.bin'): NamedBlob {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 8) * 7 + (at >> 16)) % 251;
  return Object.assign(new Blob([bytes], { type: 'application/octet-stream' }), { name });
}

async function assertUploaded(connection: Connection, url: string, file: Blob): Promise<void> {
  const found = new Uint8Array(await (await connection.fetchFile(url)).arrayBuffer());
  assert(Buffer.from(found).equals(Buffer.from(await file.arrayBuffer())), 'the bytes are those of the file');
}

/** Counts requests by method, and lets a test act before and after each. */
function countingFetch(act: { before?(method: string): void; after?(method: string): void } = {}) {
  const counts: Record<string, number> = {};
  const own: typeof fetch = async (input, init) => {
    const method = init?.method ?? 'GET';
    counts[method] = (counts[method] ?? 0) + 1;
    act.before?.(method);
    const response = await fetch(input, init);
    act.after?.(method);
    return response;
  };
  return { counts, fetch: own };
}

test('a small file takes one request', async () => {
  const { counts, fetch: own } = countingFetch();
  const ada = connectionOf(await server.user(), server.url, own);
  const progress: UploadProgress[] = [];
  const file = fileOf(1000, 'Übersicht [alt].txt');
  const { url, filename } = await uploadFile(ada, file, { onProgress: (now) => progress.push(now) });
  assert.equal(filename, 'Übersicht [alt].txt');
  assert.deepEqual(counts, { POST: 1 });
  assert.deepEqual(progress, [
    { sent: 0, total: 1000 },
    { sent: 1000, total: 1000 },
  ]);
  await assertUploaded(ada, url, file);
});

test('an empty file and a file of exactly one chunk can be uploaded', async () => {
  const ada = connectionOf(await server.user());
  for (const size of [0, 256 * 1024, 512 * 1024]) {
    const file = fileOf(size);
    const { url } = await uploadFile(ada, file);
    await assertUploaded(ada, url, file);
  }
});

test('a large file is sent in chunks with progress after each', async () => {
  const ada = connectionOf(await server.user());
  const sent: number[] = [];
  const records: UploadRecord[] = [];
  const file = fileOf(3 * MIB);
  const options = {
    onProgress: (now: UploadProgress) => sent.push(now.sent),
    onRecord: (r: UploadRecord) => records.push(r),
  };
  const { url } = await uploadFile(ada, file, options);
  await assertUploaded(ada, url, file);
  assert(sent.length >= 3, `${sent}`);
  assert.deepEqual(
    sent,
    sent.toSorted((a, b) => a - b),
  );
  assert.deepEqual([sent[0], sent.at(-1), records.length], [0, file.size, 1]);
});

test('an aborted upload continues in a later call with its record', async () => {
  const client = await server.user();
  const abort = new AbortController();
  let record: UploadRecord | undefined;
  const file = fileOf(3 * MIB);
  const aborted = uploadFile(connectionOf(client), file, {
    signal: abort.signal,
    onRecord(made) {
      record = JSON.parse(JSON.stringify(made));
    },
    onProgress: ({ sent }) => sent > 0 && abort.abort(new Error('the tab was closed')),
  });
  await assert.rejects(aborted, /the tab was closed/);
  const { counts, fetch: own } = countingFetch();
  const sent: number[] = [];
  const ada = connectionOf(client, server.url, own);
  const { url } = await uploadFile(ada, file, { record, onProgress: (now) => sent.push(now.sent) });
  assert.equal(counts.POST, undefined, 'nothing is created again');
  assert((sent[0] ?? 0) >= 512 * 1024, `it continues at ${sent[0]}`);
  await assertUploaded(ada, url, file);
});

test('the record of another file, and one that the server no longer knows, begin a new upload', async () => {
  const ada = connectionOf(await server.user());
  const file = fileOf(600_000);
  const unknown = { path: '/api/v1/tus/00000000000000000000000000000000', name: 'warp.bin', size: 600_000, created: 0 };
  for (const record of [unknown, { ...unknown, size: 5 }]) {
    const { url } = await uploadFile(ada, file, { record });
    await assertUploaded(ada, url, file);
    const { attachments } = await getAttachments(ada);
    // `created: 0` finds the file of the first round, which is complete.
    assert.equal(attachments.length, record.size === 5 ? 2 : 1);
  }
});

test('an upload continues after the network was lost in the middle of a chunk', async (t) => {
  const proxy = await startStallingProxy(server.url.replace('http:', 'postgresql:').replace('localhost', '127.0.0.1'));
  t.after(() => proxy.close());
  let patches = 0;
  const { counts, fetch: own } = countingFetch({
    before(method) {
      if (method !== 'PATCH') return;
      patches += 1;
      if (patches === 2) void proxy.refuse().then(() => proxy.accept());
    },
  });
  const ada = connectionOf(await server.user(), `http://127.0.0.1:${new URL(proxy.url).port}`, own);
  const file = fileOf(3 * MIB);
  const { url } = await uploadFile(ada, file);
  await assertUploaded(ada, url, file);
  assert.equal(counts.POST, 1);
  assert((counts.HEAD ?? 0) >= 1, 'it asked how much the server has');
});

test('a file whose last response was lost is found and not uploaded twice', async () => {
  let isLost = false;
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method !== 'PATCH' || response.status !== 200 || isLost) return response;
    isLost = true;
    throw new TypeError('the connection broke');
  };
  const ada = connectionOf(await server.user(), server.url, losing);
  const file = fileOf(600_000, 'once.bin');
  const { url, filename } = await uploadFile(ada, file);
  assert(isLost);
  assert.equal(filename, 'once.bin');
  await assertUploaded(ada, url, file);
  assert.equal((await getAttachments(ada)).attachments.length, 1);
});

test('a proxy that accepts only small bodies gets smaller chunks', async (t) => {
  const { port } = new URL(server.url);
  const proxy = createServer(async (incoming, outgoing) => {
    if (Number(incoming.headers['content-length'] ?? 0) > 300_000) {
      incoming.resume();
      outgoing.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>');
      return;
    }
    const body = Buffer.concat(await incoming.toArray());
    const { host, connection, ...headers } = incoming.headers;
    const response = await fetch(`http://localhost:${port}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close().closeAllConnections());
  const client = await server.user();
  const file = fileOf(900_000);
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { url: path } = await uploadFile(connectionOf(client, url), file);
  await assertUploaded(connectionOf(client), path, file);
});

test('a file that is too large, or exceeds the quota, is refused with the reason', async () => {
  const ada = connectionOf(await server.user());
  const tooLarge = await uploadFile(ada, fileOf(4 * MIB + 1)).catch((e) => e);
  assert(tooLarge instanceof UploadError);
  assert.deepEqual([tooLarge.reason, tooLarge.maxSize, tooLarge.status], ['too-large', 4 * MIB, 413]);
  assert.match(tooLarge.message, /larger than the allowed limit of 4 MiB/);
  const full = await startTestServer({ environment: { HEDDLE_UPLOAD_QUOTA_MIB: '1' } });
  try {
    const error = await uploadFile(connectionOf(full.owner, full.url), fileOf(2 * MIB)).catch((e) => e);
    assert(error instanceof UploadError);
    assert.deepEqual([error.reason, error.maxSize], ['quota', undefined]);
    assert.match(error.message, /quota/);
  } finally {
    await full.stop();
  }
});

test('a discarded upload is gone, and discarding it again is no error', async () => {
  const ada = connectionOf(await server.user());
  const abort = new AbortController();
  let record: UploadRecord | undefined;
  const upload = uploadFile(ada, fileOf(2 * MIB), {
    signal: abort.signal,
    onRecord(made) {
      record = made;
      abort.abort();
    },
  });
  await assert.rejects(upload, { name: 'AbortError' });
  assert(record !== undefined);
  await discardUpload(ada, record);
  await discardUpload(ada, record);
  const { response } = await ada.send(record.path, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
  assert.equal(response.status, 404);
});

test('wrong credentials end an upload at once', async () => {
  const wrong = new Connection({ url: server.url, credentials: { email: server.owner.email, apiKey: 'x' } });
  await assert.rejects(uploadFile(wrong, fileOf(10)), (error) => isApiError(error, 'UNAUTHORIZED'));
});

test('without progress an upload gives up after its patience, with the last failure', async () => {
  const port = await freePort();
  const nowhere = connectionOf(server.owner, `http://127.0.0.1:${port}`);
  await assert.rejects(uploadFile(nowhere, fileOf(10), { patience: 300 }), NetworkError);
});

test('an upload continues after the server was killed and started again', async (t) => {
  const environment = { HEDDLE_RATE_LIMITS: 'off', HEDDLE_LOG_LEVEL: 'error', HEDDLE_PORT: String(await freePort()) };
  const killable = await startKillable(t, environment);
  const { url } = await killable.listening;
  const { email, apiKey } = await accountAt(killable, 'Ada');
  const { counts, fetch: own } = countingFetch();
  const ada = new Connection({ url, credentials: { email, apiKey }, fetch: own });
  const file = fileOf(3 * MIB);
  let restarted: Promise<unknown> | undefined;
  const uploaded = await uploadFile(ada, file, {
    onProgress({ sent }) {
      if (sent > 0) restarted ??= killable.kill().then(() => killable.restart());
    },
  });
  await restarted;
  assert.equal(counts.POST, 1, 'the upload was created once');
  await assertUploaded(ada, uploaded.url, file);
});
