/** Links to files in a browser without a session, and URLs that are not found. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { upload } from '../../testing/clients/user-files.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

const LOGIN = ['owner@root.example.com', 'correct horse battery'] as const;
const PROGRAMS = ['*/*', 'application/json', 'image/avif,image/webp,*/*;q=0.8'];

let server: TestServer;
let file: string;
before(async () => {
  server = await startTestServer();
  file = await upload(server.url, server.owner, 'a pattern');
});
after(() => server.stop());

const opened = () => [
  file,
  file.replace('/user_uploads/', '/user_uploads/download/'),
  file.replace('/user_uploads/', '/user_uploads/thumbnail/'),
  `/avatar/${server.owner.userId}`,
  `/avatar/${server.owner.userId}/medium?x=1`,
];

describe('a browser without a session', () => {
  test('is redirected from files and pictures to the login page, and after login to the file', async () => {
    for (const path of opened()) {
      for (const method of ['GET', 'HEAD']) {
        const { status, location, headers } = await new Visitor(server.url).send(method, path, undefined);
        assert.deepEqual([path, status, location], [path, 302, `/login/?next=${encodeURIComponent(path)}`]);
        assert.equal(headers['www-authenticate'], undefined);
        assert.match(String(headers['cache-control']), /no-store/);
      }
    }
    const visitor = new Visitor(server.url);
    const { location } = await visitor.get(file);
    const loggedIn = await visitor.logIn(...LOGIN, location.slice('/login/'.length));
    assert.deepEqual([loggedIn.status, loggedIn.location], [303, file]);
    assert.deepEqual((await visitor.get(loggedIn.location)).text, 'a pattern');
  });

  test('is not redirected to another site by a crafted URL', async () => {
    for (const path of ['/user_uploads/1/..//..//evil.example', `${file}/../../..//evil.example`]) {
      const { status, location } = await new Visitor(server.url).get(path);
      if (status !== 302) continue;
      const next = new URL(location, server.url).searchParams.get('next') ?? '/';
      assert.equal(new URL(next, server.url).origin, new URL(server.url).origin, path);
    }
    const { location } = await new Visitor(server.url).get(`${file}?${'x'.repeat(1001)}`);
    assert.equal(location, '/login/');
  });

  test('receives an HTML page for URLs that are not found', async () => {
    for (const path of ['/nowhere', '/user_uploads/nowhere', '/api/docs/nowhere']) {
      const { status, headers, text } = await new Visitor(server.url).get(path);
      assert.deepEqual([path, status, headers['content-type']], [path, 404, 'text/html; charset=utf-8']);
      assert.match(text, /Page not found/);
    }
    const visitor = new Visitor(server.url);
    await visitor.logIn(...LOGIN);
    const missing = await visitor.get(`${file}x`);
    assert.deepEqual([missing.status, missing.headers['content-type']], [404, 'text/html; charset=utf-8']);
  });

  test('receives no Basic challenge for requests that a page makes', async () => {
    const headers = { accept: '*/*', 'sec-fetch-site': 'same-origin' };
    for (const path of ['/api/v1/users/me', file]) {
      const answer = await new Visitor(server.url).get(path, headers);
      assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, 'Session realm="zulip"']);
    }
  });
});

describe('an API client without credentials', () => {
  test('receives JSON and the Basic challenge, whatever it accepts', async () => {
    for (const accept of PROGRAMS) {
      for (const path of opened()) {
        const { status, headers, json } = await new Visitor(server.url).get(path, { accept });
        assert.deepEqual([path, status, json.code], [path, 401, 'UNAUTHORIZED']);
        assert.equal(headers['www-authenticate'], 'Basic realm="zulip"');
      }
      const nowhere = await new Visitor(server.url).get('/nowhere', { accept });
      assert.deepEqual([nowhere.status, nowhere.json.code], [404, 'NOT_FOUND']);
    }
  });

  test('receives JSON from the API and with wrong credentials, even if it accepts HTML', async () => {
    const wrong = { authorization: `Basic ${btoa(`${server.owner.email}:wrong`)}` };
    for (const [path, headers, status] of [
      ['/api/v1/users/me', {}, 401],
      ['/api/v1/nowhere', {}, 404],
      ['/json/users/me', {}, 401],
      [file, wrong, 401],
    ] as const) {
      const answer = await new Visitor(server.url).get(path, headers);
      assert.deepEqual([path, answer.status, answer.json.result], [path, status, 'error']);
    }
  });
});
