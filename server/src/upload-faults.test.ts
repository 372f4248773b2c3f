// timeouts: real
/** Kills a server during uploads: acknowledged files exist, and uploads continue where they were. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { accountAt } from './testing/faults/command-line-accounts.ts';
import { startKillable } from './testing/faults/killable-server.ts';
import { until } from './testing/server/until.ts';

// rules: files-8
test('an acknowledged file survives a kill, and an upload continues after it where it was', async (t) => {
  const server = await startKillable(t, { HEDDLE_RATE_LIMITS: 'off', HEDDLE_LOG_LEVEL: 'error' });
  const { url } = await server.listening;
  const { email, apiKey } = await accountAt(server, 'Ada');
  const authorization = `Basic ${btoa(`${email}:${apiKey}`)}`;

  const form = new FormData();
  form.append('file', new Blob(['acknowledged']), 'x.txt');
  const sent = await fetch(`${url}/api/v1/user_uploads`, { method: 'POST', headers: { authorization }, body: form });
  const { url: path } = await sent.json();

  const size = 300_000;
  const headers = { authorization, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${url}/api/v1/tus`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(size) },
  });
  const { pathname: location } = new URL(begun.headers.get('location') ?? '');
  const id = location.split('/').at(-1) ?? '';
  const piece = { ...headers, 'content-type': 'application/offset+octet-stream' };
  const outgoing = request(`${url}${location}`, {
    method: 'PATCH',
    headers: { ...piece, 'upload-offset': '0', 'content-length': String(size) },
  });
  outgoing.on('error', () => undefined);
  outgoing.write(Buffer.alloc(200_000, 'a'));
  await until(
    async () => (await stat(join(server.dataDirectory, 'files', id.slice(0, 2), id))).size > 0,
    'the first stored bytes of the upload',
  );
  await server.kill();

  const again = (await server.restart()).url;
  const file = await fetch(`${again}${path}`, { headers: { authorization } });
  assert.equal(await file.text(), 'acknowledged');
  const found = await fetch(`${again}${location}`, { method: 'HEAD', headers });
  const offset = Number(found.headers.get('upload-offset'));
  assert(offset > 0 && offset <= 200_000, `${offset}`);
  const rest = await fetch(`${again}${location}`, {
    method: 'PATCH',
    headers: { ...piece, 'upload-offset': String(offset) },
    body: 'b'.repeat(size - offset),
  });
  assert.equal(rest.status, 200);
  const whole = await fetch(`${again}${(await rest.json()).url}`, { headers: { authorization } });
  assert.equal(await whole.text(), 'a'.repeat(offset) + 'b'.repeat(size - offset));
});
