import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { S3Storage } from './s3.ts';
import { newKey } from './storage.ts';

test('a request to a store that accepts connections and never responds times out after two attempts', async (t) => {
  let attempts = 0;
  const silent = createServer(() => {
    attempts += 1;
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const options = {
    bucket: 'files',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'weft', secretAccessKey: 'warp' },
  };
  const storage = new S3Storage(options, { connect: 60_000, answer: 50, answerToPart: 60, idle: 60_000 });
  await assert.rejects(storage.get(newKey(), { start: 0, end: 0 }), { name: 'TimeoutError', message: /50 ms/ });
  assert.equal(attempts, 2);
  await assert.rejects(storage.check(), { name: 'TimeoutError', message: /50 ms/ });
  await assert.rejects(storage.put(newKey(), Readable.from(['warp'])), { name: 'TimeoutError', message: /60 ms/ });
  assert.equal(attempts, 6);
});
