import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

async function root() {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  return organization;
}

/** Starts a request that the server has authenticated. The returned function sends its form. */
async function begun({ email, apiKey }: TestClient, path: string) {
  const outgoing = request(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      host: 'localhost',
      authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      expect: '100-continue',
    },
  });
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  return async (form: string): Promise<Json> => {
    const answered = once(outgoing, 'response');
    outgoing.end(form);
    const [incoming] = await answered;
    return { status: incoming.statusCode, body: JSON.parse(Buffer.concat(await incoming.toArray()).toString()) };
  };
}

test('a request is refused if its account is deactivated before its body arrives', async () => {
  for (const path of ['/register', '/typing', '/drafts', '/bots']) {
    const leaver = await server.user();
    const send = await begun(leaver, path);
    await deactivateUser(server.app, await root(), leaver.userId);
    const { status, body } = await send('op=start&to=[1]&type=direct');
    assert.deepEqual([path, status, body.code], [path, 401, 'USER_DEACTIVATED']);
  }
});
