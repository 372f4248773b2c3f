import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitor } from '../../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const ask = (path: string, agent: string) => server.spectator.call('GET', path, {}, { 'user-agent': agent });

// rules: login-19
test('the server settings mark clients that are too old as incompatible', async () => {
  for (const agent of [
    'ZulipInvalid/1.0',
    'ZulipMobile/16.2.95 (Android 9)',
    'ZulipElectron/4.0.0',
    'ZulipDesktop/1',
  ]) {
    assert.equal((await ask('/server_settings', agent)).body.is_incompatible, true, agent);
  }
  for (const agent of [
    'ZulipMobile/27.234 (Android 14)',
    'ZulipMobile/1.0 (iOS 12)',
    'ZulipFlutter/30.0.1',
    'curl/8.0',
    '',
  ]) {
    assert.equal((await ask('/server_settings', agent)).body.is_incompatible, false, agent);
  }
});

// rules: login-19
test('GET /compatibility refuses clients that are too old, with the message they expect', async () => {
  const { status, body } = await ask('/compatibility', 'ZulipInvalid/1.0');
  assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Client is too old']);
  assert.equal((await ask('/compatibility', 'ZulipMobile/27.234 (Android 14)')).status, 200);
  const { json } = await new Visitor(server.url).get('/api/v1/compatibility');
  assert.equal(json.msg, 'User-Agent header missing from request');
});
