import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let member: TestClient;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());
// Each test has its own user without views.
test.beforeEach(async () => {
  member = await server.user();
});

const PATH = '/navigation_views';

async function add(client: TestClient, fragment: string, name?: string): Promise<void> {
  await client.ok('POST', PATH, { fragment, is_pinned: true, name });
}

async function all(client: TestClient): Promise<Json[]> {
  return (await client.ok('GET', PATH)).navigation_views;
}

async function fragments(client: TestClient): Promise<string[]> {
  return (await all(client)).map(({ fragment }) => fragment);
}

async function refusal(method: string, path: string, fields: Fields): Promise<string> {
  const { code, msg } = await member.fails(method, path, fields);
  assert.equal(code, 'BAD_REQUEST');
  return msg;
}

const TAKEN = 'Navigation view already exists.';

// rules: navigation-views-1
test('a view is listed, in the initial state, and in an event to its user only', async () => {
  const other = await server.user();
  const queue = await member.register({ event_types: ['navigation_view'] });
  const otherQueue = await other.register({ event_types: ['navigation_view'] });
  await member.ok('POST', PATH, { fragment: ' narrow/is/alerted ', is_pinned: false, name: ' Alert words ' });
  await member.ok('POST', PATH, { fragment: 'inbox', is_pinned: true });
  const custom = { fragment: 'narrow/is/alerted', is_pinned: false, name: 'Alert words' };
  const views = [custom, { fragment: 'inbox', is_pinned: true, name: null }];
  assert.deepEqual(await all(member), views);
  const events = await queue.take(2);
  assert.deepEqual({ ...events[0], id: 0 }, { id: 0, type: 'navigation_view', op: 'add', navigation_view: custom });
  assert.deepEqual(events[1].navigation_view, views[1]);
  assert.deepEqual(await otherQueue.now(), []);
  assert.deepEqual(await all(other), []);
  for (const fetch_event_types of [['navigation_view'], ['navigation_views']]) {
    const { state } = await member.register({ event_types: ['message'], fetch_event_types });
    assert.deepEqual(state.navigation_views, views);
  }
});

// rules: navigation-views-4
test('PATCH changes the given fields and sends them in an event; without fields it sends none', async () => {
  await add(member, 'narrow/is/alerted', 'Alert words');
  const queue = await member.register({ event_types: ['navigation_view'] });
  const path = `${PATH}/narrow/is/alerted`;
  await member.ok('PATCH', path, { is_pinned: false });
  await member.ok('PATCH', path);
  await member.ok('PATCH', path, { name: 'Watched' });
  await member.ok('PATCH', path, { name: 'Watched', is_pinned: true });
  const events = await queue.take(3);
  const common = { type: 'navigation_view', op: 'update', fragment: 'narrow/is/alerted' };
  assert.deepEqual({ ...events[0], id: 0 }, { id: 0, ...common, data: { is_pinned: false } });
  assert.deepEqual(
    events.slice(1).map(({ data }) => data),
    [{ name: 'Watched' }, { name: 'Watched', is_pinned: true }],
  );
  assert.deepEqual(await all(member), [{ fragment: 'narrow/is/alerted', is_pinned: true, name: 'Watched' }]);
});

// rules: navigation-views-7
test('DELETE removes a view and sends an event', async () => {
  await add(member, 'narrow/is/starred');
  const queue = await member.register({ event_types: ['navigation_view'] });
  await member.ok('DELETE', `${PATH}/narrow/is/starred`);
  const [event] = await queue.take(1);
  assert.deepEqual(
    { ...event, id: 0 },
    { id: 0, type: 'navigation_view', op: 'remove', fragment: 'narrow/is/starred' },
  );
  assert.deepEqual(await all(member), []);
  await add(member, 'narrow/is/starred');
});

// rules: navigation-views-6, errors-11
test('an unknown view and one of another user get NOT_FOUND', async () => {
  const other = await server.user();
  await add(other, 'recent');
  for (const fragment of ['recent', 'nonexistent', 'narrow/no/such/view']) {
    for (const method of ['PATCH', 'DELETE']) {
      const fields = method === 'PATCH' ? { is_pinned: true } : {};
      const { code, msg } = await member.fails(method, `${PATH}/${fragment}`, fields, 404);
      assert.deepEqual([code, msg], ['NOT_FOUND', 'Navigation view does not exist.']);
    }
  }
  const { code } = await member.fails('PATCH', `${PATH}/nonexistent`, { name: 'New' }, 404);
  assert.equal(code, 'NOT_FOUND');
  assert.deepEqual(await fragments(other), ['recent']);
});

// rules: navigation-views-3
test('built-in views cannot have a name, and other views must have one', async () => {
  const builtIn = 'Built-in views cannot have a custom name.';
  const of = ['inbox', 'recent', 'feed', 'drafts', 'scheduled', 'reminders'];
  const narrows = ['narrow/has/reaction/sender/me', 'narrow/is/mentioned', 'narrow/is/starred'];
  for (const fragment of [...of, ...narrows]) {
    assert.equal(await refusal('POST', PATH, { fragment, is_pinned: true, name: 'Mine' }), builtIn);
    // Also before the view exists.
    assert.equal(await refusal('PATCH', `${PATH}/${fragment}`, { name: 'Mine' }), builtIn);
    await member.ok('POST', PATH, { fragment, is_pinned: true, name: null });
    assert.equal(await refusal('PATCH', `${PATH}/${fragment}`, { name: 'Mine', is_pinned: false }), builtIn);
  }
  const custom = { fragment: 'narrow/view', is_pinned: true };
  for (const name of [undefined, null]) {
    assert.equal(await refusal('POST', PATH, { ...custom, name }), 'Custom views must have a valid name.');
  }
  assert((await all(member)).every(({ name, is_pinned }) => name === null && is_pinned));
});

// rules: navigation-views-2
test('blank and too long fragments and names are refused', async () => {
  const texts = { fragment: 'narrow/view', is_pinned: true, name: 'View' };
  assert.equal(await refusal('POST', PATH, { ...texts, fragment: ' ' }), 'fragment cannot be blank');
  assert.equal(await refusal('POST', PATH, { ...texts, name: ' ' }), 'name cannot be blank');
  assert.match(await refusal('POST', PATH, { ...texts, name: 'x'.repeat(101) }), /^name is too long/);
  assert.match(await refusal('POST', PATH, { ...texts, fragment: 'x'.repeat(2001) }), /^fragment is too long/);
  assert.match(await refusal('PATCH', `${PATH}/${'x'.repeat(2001)}`, { is_pinned: true }), /^fragment is too long/);
  for (const name of ['is_pinned', 'fragment']) {
    const { [name]: _, ...others } = texts as Fields;
    const { code, var_name } = await member.fails('POST', PATH, others);
    assert.deepEqual([code, var_name], ['REQUEST_VARIABLE_MISSING', name]);
  }
  await add(member, '🧵/'.repeat(500), 'View');
  assert.equal(
    await refusal('PATCH', `${PATH}/${encodeURIComponent('🧵/'.repeat(500))}`, { name: ' ' }),
    'name cannot be blank',
  );
  assert.deepEqual(await fragments(member), ['🧵/'.repeat(500)]);
});

// rules: navigation-views-1
test('fragments and names of views are unique per user', async () => {
  await add(member, 'inbox');
  await add(member, 'narrow/one', 'One');
  await add(member, 'narrow/two', 'Two');
  assert.equal(await refusal('POST', PATH, { fragment: 'inbox', is_pinned: false }), TAKEN);
  assert.equal(await refusal('POST', PATH, { fragment: 'narrow/one', is_pinned: false, name: 'Three' }), TAKEN);
  assert.equal(await refusal('POST', PATH, { fragment: 'narrow/three', is_pinned: false, name: 'One' }), TAKEN);
  assert.equal(await refusal('PATCH', `${PATH}/narrow/two`, { name: 'One' }), TAKEN);
  await member.ok('PATCH', `${PATH}/narrow/two`, { name: 'Two' });
  await add(await server.user(), 'narrow/one', 'One');
});

// rules: navigation-views-1
test('concurrent requests for the same views add each once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      member.call('POST', PATH, { fragment: `narrow/${index % 6}`, is_pinned: true, name: `${index % 3}` }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 3);
  assert.equal(new Set((await all(member)).map(({ name }) => name)).size, 3);
});

// rules: navigation-views-5
test('a fragment with slashes is found in the path in every encoding that clients use', async () => {
  const fragment = 'narrow/channel/7-looms & more/topic/50.25 ✔+1?#';
  const once = encodeURIComponent(fragment);
  const spellings = {
    'slashes as they are': fragment.split('/').map(encodeURIComponent).join('/'),
    'slashes encoded': once,
    'in small letters': once.toLowerCase(),
    'encoded twice': encodeURIComponent(once),
    'encoded as little as may be': encodeURI(fragment).replaceAll('?', '%3F').replaceAll('#', '%23'),
    'with blanks around': `%20${once}%20`,
  };
  for (const [how, spelling] of Object.entries(spellings)) {
    await add(member, fragment, 'Looms');
    await member.ok('PATCH', `${PATH}/${spelling}`, { is_pinned: false });
    assert.deepEqual(await all(member), [{ fragment, is_pinned: false, name: 'Looms' }], how);
    await member.ok('DELETE', `${PATH}/${spelling}`);
    assert.deepEqual(await all(member), [], how);
  }
});

// rules: navigation-views-5
test('a percent-encoded fragment matches literally first, then decoded', async () => {
  await add(member, 'narrow/search/a b', 'Plain');
  await add(member, 'narrow/search/a%20b', 'Encoded');
  await member.ok('DELETE', `${PATH}/${encodeURIComponent('narrow/search/a%20b')}`);
  assert.deepEqual(await fragments(member), ['narrow/search/a b']);
  await add(member, 'narrow/100%', 'All');
  await member.ok('DELETE', `${PATH}/${encodeURIComponent('narrow/100%')}`);
  assert.deepEqual(await fragments(member), ['narrow/search/a b']);
  // Slashes and dots match literally.
  await add(member, '/narrow//x/', 'Slashes');
  await member.ok('DELETE', `${PATH}//narrow//x/`);
  assert.deepEqual(await fragments(member), ['narrow/search/a b']);
});

// rules: navigation-views-5
test('a malformed path is refused', async () => {
  for (const spelling of ['%', 'narrow%2', '%ff', '%ED%A0%80', 'a%00b']) {
    const { status } = await member.call('PATCH', `${PATH}/${spelling}`, { is_pinned: true });
    assert([400, 404].includes(status), `${spelling} ${status}`);
  }
});

// rules: navigation-views-2
test('a path without a fragment is refused', async () => {
  assert.equal(await refusal('PATCH', `${PATH}/%20`, { is_pinned: true, name: 'x' }), 'fragment cannot be blank');
  await member.fails('DELETE', `${PATH}/`, {}, 404);
  assert.equal((await member.call('GET', `${PATH}/inbox`)).status, 405);
});

// rules: limits-5
test('a user has a bounded number of views', async () => {
  await sql`
    INSERT INTO navigation_views (organization_id, user_id, fragment, is_pinned, name)
    SELECT organization_id, id, 'narrow/' || n, true, n FROM users, generate_series(1, 200) AS n
     WHERE id = ${member.userId}`.execute(server.app.db);
  assert.equal(
    await refusal('POST', PATH, { fragment: 'inbox', is_pinned: true }),
    'Too many navigation views (limit: 200)',
  );
});
