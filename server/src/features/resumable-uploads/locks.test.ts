// timeouts: real
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startTwoServers } from '../../testing/faults/two-servers.ts';
import { startTestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { UploadLocks } from './locks.ts';

const PROTOCOL = { 'tus-resumable': '1.0.0' };
const BYTES = { ...PROTOCOL, 'content-type': 'application/offset+octet-stream' };

interface Address {
  readonly url: string;
  readonly authorization: string;
}

/** Creates an upload. Returns its path. */
async function begin({ url, authorization }: Address, size: number): Promise<string> {
  const headers = { authorization, ...PROTOCOL, 'upload-length': String(size) };
  const { status, headers: created } = await fetch(`${url}/api/v1/tus`, { method: 'POST', headers });
  assert.equal(status, 201);
  return new URL(created.get('location') ?? '').pathname;
}

/** Starts a request that announces the whole rest but sends only part of it. */
function goOn({ url, authorization }: Address, location: string, size: number, sent: Buffer): ClientRequest {
  const outgoing = request(`${url}${location}`, {
    method: 'PATCH',
    headers: { authorization, ...BYTES, 'upload-offset': '0', 'content-length': String(size) },
  });
  outgoing.on('error', () => undefined);
  outgoing.write(sent);
  return outgoing;
}

async function offsetAt({ url, authorization }: Address, location: string): Promise<number> {
  const { status, headers } = await fetch(`${url}${location}`, {
    method: 'HEAD',
    headers: { authorization, ...PROTOCOL },
  });
  assert.equal(status, 200);
  return Number(headers.get('upload-offset'));
}

/** Sends the rest. Returns the path of the file. */
async function finish(
  { url, authorization }: Address,
  location: string,
  offset: number,
  rest: Buffer,
): Promise<string> {
  const answer = await fetch(`${url}${location}`, {
    method: 'PATCH',
    headers: { authorization, ...BYTES, 'upload-offset': String(offset) },
    body: new Uint8Array(rest),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).url;
}

// rules: files-8
test('two processes do not write one upload at once: a request at one ends that at the other, and continues after its bytes', async () => {
  const one = await startTestServer();
  const { email, apiKey } = await one.user();
  const two = await startTestServer({ shared: one.shared });
  try {
    const authorization = `Basic ${btoa(`${email}:${apiKey}`)}`;
    const [atOne, atTwo] = [one, two].map(({ url }) => ({ url, authorization })) as [Address, Address];
    const location = await begin(atOne, 100_000);
    const outgoing = goOn(atOne, location, 100_000, Buffer.alloc(60_000, 'a'));
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    // If the test fails earlier, this rejection must not hide the reason.
    answered.catch(() => undefined);
    const key = location.split('/').at(-1) ?? '';
    await until(async () => (await one.app.piecewise.lengthOf(key)) >= 60_000, '60,000 received bytes');
    assert.equal(await offsetAt(atTwo, location), 60_000);
    const [answer] = await answered;
    assert.equal(answer.headers['upload-offset'], '60000');
    const path = await finish(atTwo, location, 60_000, Buffer.alloc(40_000, 'b'));
    const text = await (await fetch(`${two.url}${path}`, { headers: { authorization } })).text();
    assert.equal(text, 'a'.repeat(60_000) + 'b'.repeat(40_000));
    outgoing.destroy();
  } finally {
    await two.stop();
    await one.stop();
  }
});

test('a lock is extended while the server copies what a killed process held', async () => {
  const server = await startTestServer();
  try {
    const { app, url, owner } = server;
    const { db, piecewise } = app;
    const location = await begin({ url, authorization: `Basic ${btoa(`${owner.email}:${owner.apiKey}`)}` }, 10);
    const key = location.split('/').at(-1) ?? '';
    await sql`UPDATE resumable_uploads SET holder = 'killed', held_until = now() WHERE key = ${key}`.execute(db);
    const heldUntil = async () => {
      const { rows } = await sql<{ time: Date }>`
        SELECT held_until AS time FROM resumable_uploads WHERE key = ${key}`.execute(db);
      return rows[0]?.time.getTime() ?? 0;
    };
    /** A storage that copies the file only after the lock was extended. */
    const slow = {
      begin: piecewise.begin.bind(piecewise),
      lengthOf: piecewise.lengthOf.bind(piecewise),
      append: piecewise.append.bind(piecewise),
      finish: piecewise.finish.bind(piecewise),
      async takeOver(file: string, check: () => void) {
        const first = await heldUntil();
        await until(async () => (await heldUntil()) !== first, 'the lock to be renewed');
        await piecewise.takeOver(file, check);
      },
    };
    const organization = await app.organizations.bySubdomain('');
    assert(organization !== undefined);
    const locks = new UploadLocks({ ...app, piecewise: slow }, () => organization.id);
    const lock = locks.newLock(key);
    await lock.lock(new AbortController().signal, () => assert.fail('no other process requests the lock'));
    locks.check(key);
    await lock.unlock();
  } finally {
    await server.stop();
  }
});

// rules: files-8
test('a paused process loses its upload to another, and its later writes have no effect', async (t) => {
  const { one, two, user } = await startTwoServers(t);
  const { email, apiKey } = await user('ada');
  const authorization = `Basic ${btoa(`${email}:${apiKey}`)}`;
  const atOne = { url: (await one.listening).url, authorization };
  const atTwo = { url: (await two.listening).url, authorization };
  const location = await begin(atOne, 100_000);
  const outgoing = goOn(atOne, location, 100_000, Buffer.alloc(60_000, 'a'));
  const closed = once(outgoing, 'close');
  const key = location.split('/').at(-1) ?? '';
  const path = join(one.dataDirectory, 'files', key.slice(0, 2), key);
  await until(async () => (await stat(path)).size >= 60_000, '60,000 bytes in the file');
  await one.pause();
  assert.equal(await offsetAt(atTwo, location), 60_000);
  const file = await finish(atTwo, location, 60_000, Buffer.alloc(40_000, 'b'));
  outgoing.end(Buffer.alloc(40_000, 'x'));
  one.resume();
  await closed;
  const text = await (await fetch(`${atTwo.url}${file}`, { headers: { authorization } })).text();
  assert.equal(text, 'a'.repeat(60_000) + 'b'.repeat(40_000));
});
