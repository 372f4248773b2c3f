/** Files and resumable uploads of web pages, which use the session cookie at the API's addresses. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import { plainPicture } from '../../testing/clients/uploading.ts';
import { open, upload } from '../../testing/clients/user-files.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { createUser } from '../accounts/accounts/actions.ts';

const PASSWORD = 'correct horse';

let server: TestServer;
/** Has a logged-in browser session. */
let ada: Visitor;
let ben: TestClient;
/** Is logged in to another organization. */
let stranger: Visitor;
before(async () => {
  server = await startTestServer();
  ben = await server.user({ name: 'Ben' });
  const { owner } = server;
  await owner.subscribe('loom', { principals: [ben.userId] });
  ada = await loggedIn('', new URL(server.url).host);
  await server.organization('strangers');
  stranger = await loggedIn('strangers', `strangers.localhost:${new URL(server.url).port}`);
});
after(() => server.stop());

async function loggedIn(subdomain: string, host: string): Promise<Visitor> {
  const organization = await server.app.organizations.bySubdomain(subdomain);
  assert(organization !== undefined);
  const email = 'ada@example.com';
  await createUser(organization, { email, fullName: 'Ada', password: PASSWORD });
  const visitor = new Visitor(server.url, host);
  assert.equal((await visitor.logIn(email, PASSWORD)).status, 303);
  return visitor;
}

const origin = () => ({ origin: server.url });
const token = (visitor: Visitor) => ({ 'x-csrftoken': visitor.jar.get('csrftoken') ?? '' });

/** Sends a request as a page of this server does. */
function byCookie(visitor: Visitor, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { cookie: visitor.cookieHeader, ...(init.headers as Record<string, string>) },
  });
}

function send(visitor: Visitor, headers: Record<string, string>, content: string | Buffer = 'a pattern') {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(Buffer.from(content))]), 'pattern.txt');
  return byCookie(visitor, '/api/v1/user_uploads', { method: 'POST', headers, body });
}

async function sent(visitor: Visitor, content?: string | Buffer): Promise<string> {
  const response = await send(visitor, { ...origin(), ...token(visitor) }, content);
  const { url } = await response.json();
  assert.equal(response.status, 200);
  return url;
}

async function statusOf(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
}

describe('with a session', () => {
  // rules: files-1
  test('a file can be uploaded, opened, downloaded and requested as a thumbnail', async () => {
    const path = await sent(ada, await plainPicture());
    const rest = path.replace('/user_uploads', '');
    assert.equal(await statusOf(await byCookie(ada, path)), 200);
    assert.equal(await statusOf(await byCookie(ada, `/user_uploads/download${rest}`)), 200);
    const missing = await byCookie(ada, `/user_uploads/thumbnail${rest}/1x1.webp`);
    assert.equal(await statusOf(missing), 404, 'a user with access gets "not found" for an unknown thumbnail size');
    assert.equal(await statusOf(await open(server.url, ben, path)), 404);
    assert.equal(await statusOf(await open(server.url, undefined, path)), 401);
  });

  test('a logged-in user can open a file of a message they can read', async () => {
    const path = await upload(server.url, ben, 'for Ada');
    assert.equal(await statusOf(await byCookie(ada, path)), 404);
    const { user_id } = (await ada.get('/json/users/me')).json;
    await ben.direct([user_id], `[yours](${path})`);
    const response = await byCookie(ada, path);
    assert.equal(await response.text(), 'for Ada');
  });

  test('GET /avatar redirects', async () => {
    const response = await byCookie(ada, `/avatar/${ben.userId}`);
    assert.equal(await statusOf(response), 302);
    assert.equal(await statusOf(await byCookie(stranger, `/avatar/${ben.userId}`)), 401);
  });

  // rules: files-1
  test('uploads without the session’s CSRF token or from another site are refused', async () => {
    for (const headers of [
      {},
      origin(),
      { ...origin(), 'x-csrftoken': 'x'.repeat(43) },
      { ...token(ada), origin: 'https://elsewhere.example' },
      { ...token(ada), ...origin(), 'sec-fetch-site': 'cross-site' },
    ]) {
      const response = await send(ada, headers);
      assert.deepEqual([response.status, (await response.json()).code], [403, 'CSRF_FAILED'], JSON.stringify(headers));
    }
  });

  test('another organization’s session cannot upload or open files', async () => {
    const path = await upload(server.url, ben, 'ours');
    assert.equal(await statusOf(await byCookie(stranger, path)), 401);
    assert.equal(await statusOf(await send(stranger, { ...origin(), ...token(stranger) })), 401);
    const begun = await begin(stranger);
    assert.equal(await statusOf(begun), 401);
  });

  test('a file cannot be opened after logging out', async () => {
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    await createUser(organization, { email: 'leaver@example.com', fullName: 'Leaver', password: PASSWORD });
    const leaver = new Visitor(server.url);
    await leaver.logIn('leaver@example.com', PASSWORD);
    const path = await sent(leaver);
    const cookie = leaver.cookieHeader;
    await leaver.get('/accounts/sessions/');
    await leaver.submit('/accounts/logout/');
    const { status } = await fetch(`${server.url}${path}`, { headers: { cookie } });
    assert.equal(status, 401);
  });
});

const PROTOCOL = { 'tus-resumable': '1.0.0' };
const BYTES = { ...PROTOCOL, 'content-type': 'application/offset+octet-stream' };

function begin(visitor: Visitor, headers: Record<string, string> = origin()): Promise<Response> {
  return byCookie(visitor, '/api/v1/tus/', {
    method: 'POST',
    headers: {
      ...PROTOCOL,
      'upload-length': '10',
      'upload-metadata': `filename ${btoa('loom.txt')},filetype ${btoa('text/plain')}`,
      ...headers,
    },
  });
}

function pathOf(begun: Response): string {
  return new URL(begun.headers.get('location') ?? '').pathname;
}

describe('resumable uploads with a session', () => {
  // rules: files-8
  test('can be started, resumed and completed', async () => {
    const location = pathOf(await begin(ada));
    const piece = (offset: number, body: string, headers: Record<string, string>) =>
      byCookie(ada, location, {
        method: 'PATCH',
        headers: { ...BYTES, 'upload-offset': String(offset), ...headers },
        body,
      });
    assert.equal(await statusOf(await piece(0, '01234', origin())), 204);
    const head = await byCookie(ada, location, { method: 'HEAD', headers: PROTOCOL });
    assert.deepEqual([head.status, head.headers.get('upload-offset')], [200, '5']);
    const { url } = await (await piece(5, '56789', token(ada))).json();
    assert.equal(await (await byCookie(ada, url)).text(), '0123456789');
  });

  // rules: files-8
  test('are refused from another site, and when the browser names no origin', async () => {
    const location = pathOf(await begin(ada));
    for (const headers of [
      {},
      { origin: 'https://elsewhere.example' },
      { ...origin(), 'sec-fetch-site': 'same-site' },
    ]) {
      const requests = [
        begin(ada, headers as Record<string, string>),
        byCookie(ada, location, {
          method: 'PATCH',
          headers: { ...BYTES, 'upload-offset': '0', ...headers } as Record<string, string>,
          body: 'x',
        }),
        byCookie(ada, location, { method: 'DELETE', headers: { ...PROTOCOL, ...headers } as Record<string, string> }),
      ];
      for (const response of await Promise.all(requests)) {
        assert.deepEqual([response.status, (await response.json()).code], [403, 'CSRF_FAILED']);
      }
    }
    const head = await byCookie(ada, location, { method: 'HEAD', headers: PROTOCOL });
    assert.equal(head.headers.get('upload-offset'), '0');
  });

  test('are accessible only to their owner', async () => {
    const location = pathOf(await begin(ada));
    const asked = await fetch(`${server.url}${location}`, {
      method: 'HEAD',
      headers: { ...PROTOCOL, authorization: `Basic ${btoa(`${ben.email}:${ben.apiKey}`)}` },
    });
    assert.equal(asked.status, 404);
    assert.equal((await byCookie(stranger, location, { method: 'HEAD', headers: PROTOCOL })).status, 401);
  });
});
