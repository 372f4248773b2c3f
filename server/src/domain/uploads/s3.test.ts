import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import sharp from 'sharp';
import { allow } from '../../db/transaction.ts';
import { collectLeftovers } from '../../storage/leftovers.ts';
import { credentials, open, upload } from '../../testing/clients/user-files.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { hasS3Server, type S3Server, startS3Server } from '../../testing/services/s3-server.ts';

const skip = hasS3Server() ? false : 'there is no S3-compatible server here';

async function withS3(act: (server: TestServer, s3: S3Server) => Promise<void>): Promise<void> {
  const s3 = await startS3Server();
  const server = await startTestServer({ environment: s3.environment });
  try {
    await act(server, s3);
  } finally {
    await server.stop();
    await s3.stop();
  }
}

async function objects({ bucketDirectory }: S3Server): Promise<number> {
  const entries = await readdir(bucketDirectory, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

async function collect({ app }: TestServer): Promise<void> {
  await app.db
    .updateTable('storage_leftovers')
    .set({ due_at: new Date(0) })
    .execute();
  await app.db.transaction().execute(async (db) => {
    // Allow the timeout of a job, because the storage is slow.
    await allow(db, { pause: 60_000 });
    await collectLeftovers(db, app.storage);
  });
  assert.deepEqual(await app.db.selectFrom('storage_leftovers').selectAll().execute(), []);
}

test('files are stored in a bucket, served in ranges, and removed from it', { skip }, () =>
  withS3(async (server, s3) => {
    const { owner, url } = server;
    // The file is sent in several parts.
    const large = Buffer.alloc(20 * 1024 * 1024, 'weft');
    const path = await upload(url, owner, large, { name: 'large.bin' });
    const part = await open(url, owner, path, { range: 'bytes=17000000-17000003' });
    assert.equal(part.status, 206);
    assert.equal(await part.text(), 'weft');
    const whole = Buffer.from(await (await open(url, owner, path)).arrayBuffer());
    assert(whole.equals(large));
    assert.equal(await objects(s3), 1);
    const { attachments } = await owner.ok('GET', '/attachments');
    await owner.ok('DELETE', `/attachments/${attachments[0].id}`);
    await collect(server);
    assert.equal(await objects(s3), 0);
  }),
);

test('pictures in a bucket have thumbnails', { skip }, () =>
  withS3(async (server) => {
    const { owner, url } = server;
    const red = { create: { width: 1000, height: 500, channels: 4, background: 'red' } } as const;
    const path = await upload(url, owner, await sharp(red).png().toBuffer(), { name: 'x.png', type: 'image/png' });
    const rest = path.slice('/user_uploads/'.length);
    await until(async () => (await owner.ok('GET', `/thumbnail/status/${rest}`)).has_thumbnail, 'the thumbnail');
    const response = await open(url, owner, `/user_uploads/thumbnail/${rest}/840x560.webp`);
    assert.equal((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width, 840);
  }),
);

test('resumable uploads into a bucket continue at their offset, and abandoned ones leave no data', { skip }, () =>
  withS3(async (server, s3) => {
    const { owner, url } = server;
    const headers = { ...credentials(owner), 'tus-resumable': '1.0.0' };
    const begin = async (size: number) => {
      const response = await fetch(`${url}/api/v1/tus`, {
        method: 'POST',
        headers: { ...headers, 'upload-length': String(size) },
      });
      assert.equal(response.status, 201);
      return response.headers.get('location') ?? '';
    };
    const patch = (location: string, offset: number, body: Buffer) =>
      fetch(location, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        body: new Uint8Array(body),
      });
    const content = Buffer.alloc(18 * 1024 * 1024, 'warp');
    const cut = 9_000_000;
    const location = await begin(content.length);
    assert.equal((await patch(location, 0, content.subarray(0, cut))).status, 204);
    const head = await fetch(location, { method: 'HEAD', headers });
    assert.equal(Number(head.headers.get('upload-offset')), cut);
    const last = await patch(location, cut, content.subarray(cut));
    assert.equal(last.status, 200);
    const path = (await last.json()).url;
    assert(Buffer.from(await (await open(url, owner, path)).arrayBuffer()).equals(content));
    const left = await begin(10_000_000);
    assert.equal((await patch(left, 0, content.subarray(0, cut))).status, 204);
    const { attachments } = await owner.ok('GET', '/attachments');
    await owner.ok('DELETE', `/attachments/${attachments[0].id}`);
    await collect(server);
    assert.equal(await objects(s3), 0);
  }),
);
