import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import zlib from 'node:zlib';
import { defaulted, defineEndpoint } from '@heddle/api/contract.ts';
import Type from 'typebox';
import { startSample } from '../../testing/server/sample-server.ts';
import { acceptedCodings } from '../answers/accept-encoding.ts';
import { rawJson, shared } from '../answers/raw-json.ts';
import { HeldAnswer, type HeldRequest, routeFor } from '../requests/route.ts';
import { Compression } from './compression.ts';

const route = routeFor<object, object>();

const base = {
  method: 'GET',
  area: 'samples',
  summary: 'A text',
  authentication: 'none',
  parameters: { characters: defaulted(Type.Integer(), 0) },
  response: Type.Object({ text: Type.String() }),
  errors: [],
} as const;
const getText = defineEndpoint({ ...base, operationId: 'get-text', path: '/text' });
const getPieces = defineEndpoint({ ...base, operationId: 'get-pieces', path: '/pieces' });
const getShared = defineEndpoint({ ...base, operationId: 'get-shared', path: '/shared' });
const getKey = defineEndpoint({ ...base, operationId: 'get-key', path: '/key', secrets: 'always' });
const getSome = defineEndpoint({ ...base, operationId: 'get-some', path: '/some', secrets: 'sometimes' });
const getHeld = defineEndpoint({ ...base, operationId: 'get-held', path: '/held-text' });
const getPolled = defineEndpoint({ ...base, operationId: 'get-polled', path: '/polled-text' });

function textOf(characters: number): string {
  return Array.from({ length: Math.ceil(characters / 10) }, (_, index) => String(index).padStart(10, 'wörd '))
    .join('')
    .slice(0, characters);
}

/** Longer than what is copied before it is compressed. */
const sharedText = shared(Buffer.from(JSON.stringify(textOf(400_000))));

class Held extends HeldAnswer<{ readonly text: string }> {
  readonly #text: string;
  constructor(text: string) {
    super();
    this.#text = text;
  }
  override begin(held: HeldRequest<{ readonly text: string }>): void {
    held.settle(() => ({ text: this.#text }));
  }
  override hungUp(): void {}
}

const sample = await startSample('off', false, [
  route(getText, {}, ({ parameters }) => ({ text: textOf(parameters.characters) })),
  route(getPieces, {}, ({ parameters }) => {
    const body = Buffer.from(JSON.stringify({ result: 'success', msg: '', text: textOf(parameters.characters) }));
    return rawJson([body.subarray(0, 100), body.subarray(100, 100), body.subarray(100)]);
  }),
  route(getShared, {}, () =>
    rawJson([Buffer.from('{"result":"success","msg":"","text":'), sharedText, Buffer.from('}')]),
  ),
  route(getKey, {}, ({ parameters }) => ({ text: textOf(parameters.characters) })),
  route(
    getSome,
    { carriesSecrets: (given) => 'text' in given && String(given.text).length > 5000 },
    ({ parameters }) => ({
      text: textOf(parameters.characters),
    }),
  ),
  route(getHeld, {}, ({ parameters }) => new Held(textOf(parameters.characters))),
  route(getPolled, { limit: 'polls' }, ({ parameters }) => ({ text: textOf(parameters.characters) })),
]);
after(() => sample.server.stop(1000));

const decoders = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, zstd: zlib.zstdDecompressSync };

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Received> {
  const sent = httpRequest(`${sample.base}/${path}`, { headers, method }).end();
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
  const bytes = await buffer(response);
  const coding = response.headers['content-encoding'] as keyof typeof decoders | undefined;
  const decoded = coding === undefined || bytes.length === 0 ? bytes : decoders[coding](bytes);
  return { headers: response.headers, bytes, text: decoded.toString() };
}

const codingOf = async (path: string, accept: string) =>
  (await get(path, { 'accept-encoding': accept })).headers['content-encoding'];

for (const coding of ['gzip', 'br', 'zstd'] as const) {
  for (const path of ['text', 'pieces', 'held-text']) {
    for (const characters of [20_000, 3_000_000]) {
      test(`a response of ${characters} characters (${path}) is compressed with ${coding} if the client accepts it`, async () => {
        const plain = await get(`${path}?characters=${characters}`);
        const compressed = await get(`${path}?characters=${characters}`, { 'accept-encoding': coding });
        assert.equal(compressed.headers['content-encoding'], coding);
        assert.equal(compressed.headers.vary, 'Accept-Encoding');
        assert.equal(Number(compressed.headers['content-length']), compressed.bytes.length);
        assert.ok(compressed.bytes.length < plain.bytes.length / 2);
        assert.equal(compressed.text, plain.text);
        assert.equal(compressed.headers['content-type'], 'application/json');
        assert.equal(compressed.headers['cache-control'], 'no-store, private');
      });
    }
  }
}

test('pieces that responses share are joined as zstd for a browser, and as gzip for any other client', async () => {
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  const forBrowser = await get('shared', { ...headers, 'sec-fetch-site': 'same-origin' });
  const forOther = await get('shared', headers);
  assert.equal(forBrowser.headers['content-encoding'], 'zstd');
  assert.equal(forOther.headers['content-encoding'], 'gzip');
  assert.equal(forBrowser.text, forOther.text);
  assert.equal(JSON.parse(forOther.text).text, textOf(400_000));
});

test('a client that does not accept compression gets an uncompressed response without Vary', async () => {
  const { headers, text } = await get('text?characters=20000');
  assert.equal(headers['content-encoding'], undefined);
  assert.equal(headers.vary, undefined);
  assert.equal(text, JSON.stringify({ result: 'success', msg: '', text: textOf(20_000) }));
});

test('a response below 1 KB is not compressed, unless the client accepts nothing else', async () => {
  assert.equal(await codingOf('text?characters=500', 'gzip'), undefined);
  assert.equal(await codingOf('text?characters=1500', 'gzip'), 'gzip');
  assert.equal(await codingOf('text?characters=500', 'gzip, identity;q=0'), 'gzip');
});

for (const path of ['held-text', 'polled-text']) {
  test(`a response to a poll (${path}) is compressed from 16 KB on, whether the poll was held or not`, async () => {
    for (const characters of [2000, 10_000]) {
      assert.equal(await codingOf(`${path}?characters=${characters}`, 'gzip'), undefined);
    }
    assert.equal(await codingOf(`${path}?characters=20000`, 'gzip'), 'gzip');
    assert.equal(await codingOf(`${path}?characters=2000`, 'gzip, identity;q=0'), 'gzip');
  });
}

test('a response with secrets is never compressed', async () => {
  assert.equal(await codingOf('key?characters=20000', 'gzip'), undefined);
  assert.equal(await codingOf('key?characters=20000', 'gzip, identity;q=0'), undefined);
  assert.equal(await codingOf('some?characters=6000', 'gzip'), undefined);
  assert.equal(await codingOf('some?characters=4000', 'gzip'), 'gzip');
});

test('files are not compressed, so ranges, ETag and HEAD refer to the same bytes', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const path = 'files/long';
  for (const [more, method] of [
    [{}, 'GET'],
    [{ range: 'bytes=0-4' }, 'GET'],
    [{}, 'HEAD'],
  ] as const) {
    const plain = await get(path, more, method);
    const asked = await get(path, { ...headers, ...more }, method);
    assert.equal(asked.headers['content-encoding'], undefined);
    assert.deepEqual([asked.bytes, asked.headers.etag], [plain.bytes, plain.headers.etag]);
  }
});

test('beyond the maximum of concurrent compressions, responses are sent uncompressed', async () => {
  const compression = new Compression();
  const body = textOf(3_000_000);
  const gzip = acceptedCodings('gzip');
  const compress = (accepted: typeof gzip) => compression.compress(body, Buffer.byteLength(body), accepted);
  const begun = [compress(gzip), compress(gzip), compress(gzip)];
  assert.equal(await compress(gzip), undefined);
  // Only clients that refuse uncompressed responses wait.
  const insisting = [compress(acceptedCodings('gzip, identity;q=0')), compress(acceptedCodings('gzip, *;q=0'))];
  for (const pieces of await Promise.all([...begun, ...insisting])) assert.ok(pieces !== undefined);
  assert.ok((await compress(gzip)) !== undefined);
});
