import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
});
after(() => server.stop());

const RUST = {
  name: 'Rust playground',
  pygments_language: 'Rust',
  url_template: 'https://play.example/?edition=latest&code={code}',
};

// rules: other-1
test('playgrounds can be added and removed; users receive them in the initial state and by events', async () => {
  const queue = await member.register({ event_types: ['realm_playgrounds', 'realm'] });
  assert.deepEqual(queue.state.realm_playgrounds, []);
  const { id } = await owner.ok('POST', '/realm/playgrounds', { ...RUST, name: '  Rust playground ' });
  const { id: other } = await owner.ok('POST', '/realm/playgrounds', { ...RUST, name: 'Another' });
  const { state } = await member.register({ fetch_event_types: ['realm_playgrounds'] });
  assert.deepEqual(state.realm_playgrounds, [
    { id, ...RUST },
    { id: other, ...RUST, name: 'Another' },
  ]);
  await owner.ok('PATCH', '/realm', { default_code_block_language: 'Rust' });
  await owner.ok('DELETE', `/realm/playgrounds/${id}`);
  const events = await queue.take(5);
  assert.deepEqual(
    events.map(({ type, property, value, realm_playgrounds }: Json) => [
      type,
      property,
      value ?? realm_playgrounds.length,
    ]),
    [
      ['realm_playgrounds', undefined, 1],
      ['realm_playgrounds', undefined, 2],
      ['realm', 'default_code_block_language', 'Rust'],
      ['realm_playgrounds', undefined, 1],
      // Deleting the playground of the default language resets the default.
      ['realm', 'default_code_block_language', ''],
    ],
  );
  assert.equal((await owner.fails('DELETE', `/realm/playgrounds/${id}`)).msg, 'Invalid playground');
  await owner.ok('DELETE', `/realm/playgrounds/${other}`);
  assert((await owner.ok('POST', '/realm/playgrounds', RUST)).id > other, 'ids are not reused');
});

// rules: other-1
test('invalid playgrounds are refused, and only administrators can change playgrounds', async () => {
  await owner.call('POST', '/realm/playgrounds', RUST);
  const given = { ...RUST, name: 'New' };
  for (const [fields, msg] of [
    [RUST, 'Realm playground with this Realm, Pygments language and Name already exists.'],
    [{ ...given, name: ' ' }, 'This field cannot be blank.'],
    [{ ...given, pygments_language: 'Rust!' }, 'Invalid characters in pygments language'],
    [{ ...given, pygments_language: 'x'.repeat(41) }, 'pygments_language is too long (limit: 40 characters)'],
    [{ ...given, url_template: 'https://play.example/' }, 'Missing the required variable "code" in the URL template'],
    [
      { ...given, url_template: 'https://play.example/{code}{other}' },
      '"code" should be the only variable present in the URL template',
    ],
    [{ ...given, url_template: 'https://play.example/{code' }, 'Invalid URL template.'],
    [{ ...given, url_template: 'javascript:{code}' }, 'Invalid URL template.'],
  ] as const) {
    const body = await owner.fails('POST', '/realm/playgrounds', fields);
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', msg]);
  }
  for (const [method, path] of [
    ['POST', '/realm/playgrounds'],
    ['DELETE', '/realm/playgrounds/1'],
  ] as const) {
    assert.equal((await member.fails(method, path, given)).code, 'UNAUTHORIZED_PRINCIPAL');
  }
});
