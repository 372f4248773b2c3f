import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_GRAVATAR: 'off' } });
});
after(() => server.stop());

// rules: login-9
test('the home page shows the organization and how to log in', async () => {
  await server.owner.ok('PATCH', '/realm', { description: 'We **weave** <i>cloth</i>.' });
  const { status, text, headers } = await new Visitor(server.url).get('/');
  assert.equal(status, 200);
  assert.match(text, /<h1>Organization<\/h1>/);
  assert.match(text, /We <strong>weave<\/strong> &lt;i&gt;cloth&lt;\/i&gt;/);
  assert.match(text, /href="\/login\/"/);
  assert.match(text, new RegExp(`<code>${server.url}</code>`));
  assert.doesNotMatch(text, /register/);
  const [, icon = ''] = /<img class="icon" src="([^"]+)"/.exec(text) ?? [];
  assert.equal((await fetch(server.url + icon)).status, 200);
  assert.equal(headers['cache-control'], 'no-store');
});

// rules: login-9
test('without required invitations the home page links to signup', async () => {
  await server.owner.ok('PATCH', '/realm', { invite_required: false });
  assert.match((await new Visitor(server.url).get('/')).text, /href="\/register\/"/);
});

// rules: login-9
test('a logged-in user sees their name and a link to their sessions', async () => {
  const visitor = new Visitor(server.url);
  await visitor.logIn('owner@root.example.com', 'correct horse battery');
  const { text } = await visitor.get('/');
  assert.match(text, /logged in as Olive Owner/);
  assert.match(text, /href="\/accounts\/sessions\/"/);
  assert.doesNotMatch(text, /href="\/login\/"/);
});

// rules: login-9
test('the page shows the configured address, whatever the Host header says', async () => {
  const { port } = new URL(server.url);
  const { text } = await new Visitor(server.url, `127.0.0.1:${port}`).get('/', { 'x-forwarded-host': 'evil.example' });
  assert.match(text, new RegExp(`<code>${server.url}</code>`));
  assert.doesNotMatch(text, /evil/);
});

test('an unknown organization gets a 404 page', async () => {
  const { status, text } = await new Visitor(server.url, `nobody.${new URL(server.url).host}`).get('/');
  assert.deepEqual([status, /Organization not found/.test(text)], [404, true]);
});

// rules: login-9
test('pages without their trailing slash are redirected with their query, and other paths are not', async () => {
  const visitor = new Visitor(server.url);
  const leads = async (path: string) => {
    const { status, location } = await visitor.get(path);
    return [status, location];
  };
  assert.deepEqual(await leads('/login'), [302, '/login/']);
  assert.deepEqual(await leads('/login?next=%2Faccounts%2Fsessions%2F%3Fa'), [
    302,
    '/login/?next=%2Faccounts%2Fsessions%2F%3Fa',
  ]);
  assert.deepEqual(await leads('/register'), [302, '/register/']);
  for (const path of ['/nothing', '//evil.example/login', '/login/x', '/api/v1/messages/x/y']) {
    assert.deepEqual(await leads(path), [404, ''], path);
  }
  const { status } = await visitor.send('POST', '/login', { username: 'a', password: 'b' });
  assert.equal(status, 404);
});
