import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { plainPicture, upload } from '../../../testing/clients/uploading.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let administrator: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  administrator = await server.user({ role: Role.administrator });
  member = await server.user();
});
after(() => server.stop());

/** Performs the change, and returns its response and the events that a member receives. */
async function changed(change: () => Promise<Json>) {
  const queue = await member.register({ event_types: ['realm'], fetch_event_types: [] });
  const answer = await change();
  return { answer, events: (await queue.now()).map(({ id: _, ...event }) => event) };
}

async function put(path: string, fields: Fields = {}, file?: Buffer): Promise<Json> {
  const picture = file ?? (await plainPicture(1000, 50));
  const { status, body } = await upload(server.url, administrator, { path, fields, file: picture });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function stateOf(client: TestClient): Promise<Json> {
  return (await client.register({ fetch_event_types: ['realm'], event_types: [] })).state;
}

async function drawn(url: string) {
  const response = await fetch(new URL(url, server.url));
  assert.equal(response.status, 200);
  assert.match(response.headers.get('cache-control') ?? '', /immutable/);
  const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  return [format, width, height];
}

async function lead(path: string): Promise<string | null> {
  const headers = { authorization: `Basic ${btoa(`${member.email}:${member.apiKey}`)}` };
  return (await fetch(`${server.url}/api/v1${path}`, { redirect: 'manual', headers })).headers.get('location');
}

// rules: pictures-6
test('an icon is sent in events, in the initial state and in the server settings', async () => {
  const before = await stateOf(member);
  assert.deepEqual(
    [before.realm_icon_source, before.max_icon_file_size_mib, before.max_logo_file_size_mib],
    ['G', 5, 5],
  );
  const { answer, events } = await changed(() => put('/realm/icon'));
  const { icon_url } = answer;
  assert.match(icon_url, /^\/user_avatars\/\d+\/realm\/icon-[\da-f]{32}\.png\?version=2$/);
  const data = { icon_url, icon_source: 'U' };
  assert.deepEqual(events, [{ type: 'realm', op: 'update_dict', property: 'icon', data }]);
  const state = await stateOf(member);
  assert.deepEqual([state.realm_icon_url, state.realm_icon_source], [icon_url, 'U']);
  assert.equal((await member.ok('GET', '/server_settings')).realm_icon, new URL(icon_url, server.url).href);
  assert.deepEqual(await drawn(icon_url), ['png', 100, 100]);
  assert.equal(await lead('/realm/icon'), icon_url);

  const gone = await changed(() => administrator.ok('DELETE', '/realm/icon'));
  assert.match(gone.answer.icon_url, /^https:\/\/secure\.gravatar\.com\//);
  assert.deepEqual(gone.events[0].data, { icon_url: gone.answer.icon_url, icon_source: 'G' });
  assert.equal((await fetch(new URL(icon_url, server.url))).status, 404);
});

// rules: pictures-6
test('logos keep their aspect ratio, with one for light and one for dark themes', async () => {
  for (const [night, name] of [
    [false, 'logo'],
    [true, 'night_logo'],
  ] as const) {
    const { events } = await changed(() => put('/realm/logo', { night }));
    const url = events[0].data[`${name}_url`];
    const data = { [`${name}_url`]: url, [`${name}_source`]: 'U' };
    assert.deepEqual(events, [{ type: 'realm', op: 'update_dict', property: name, data }]);
    assert.deepEqual(await drawn(url), ['png', 800, 40]);
    const state = await stateOf(member);
    assert.deepEqual([state[`realm_${name}_url`], state[`realm_${name}_source`]], [url, 'U']);
    assert.equal(await lead(`/realm/logo?night=${night}`), url);
  }
  const { events } = await changed(() => administrator.ok('DELETE', '/realm/logo', { night: false }));
  assert.equal(events[0].data.logo_source, 'D');
  const state = await stateOf(member);
  assert.deepEqual([state.realm_logo_source, state.realm_night_logo_source], ['D', 'U']);
});

// rules: pictures-6
test('only administrators change them', async () => {
  const file = await plainPicture();
  for (const [path, fields] of [
    ['/realm/icon', {}],
    ['/realm/logo', { night: true }],
  ] as const) {
    const { status, body } = await upload(server.url, member, { path, fields, file });
    assert.deepEqual(
      [status, body.code, body.msg],
      [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'],
    );
    assert.equal((await member.fails('DELETE', path, fields)).code, 'UNAUTHORIZED_PRINCIPAL');
  }
});

// rules: pictures-6
test('files that are not pictures, too large, or a logo without `night` are refused', async () => {
  const file = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const { body } = await upload(server.url, administrator, {
    path: '/realm/icon',
    file,
    name: 'x.svg',
    type: 'image/svg+xml',
  });
  assert.equal(body.code, 'BAD_IMAGE');
  const logo = await upload(server.url, administrator, { path: '/realm/logo', file: await plainPicture() });
  assert.equal(logo.body.code, 'REQUEST_VARIABLE_MISSING');
  const large = await upload(server.url, administrator, { path: '/realm/icon', file: Buffer.alloc(6 * 1024 * 1024) });
  assert.equal(large.status, 413);
});

test('a request without a picture is refused', async () => {
  assert.equal((await administrator.fails('POST', '/realm/icon')).msg, 'You must upload exactly one icon.');
  assert.equal(
    (await administrator.fails('POST', '/realm/logo', { night: true })).msg,
    'You must upload exactly one logo.',
  );
});

// rules: pictures-6
test('another organization does not serve them', async () => {
  const { icon_url } = await put('/realm/icon');
  const stranger = await server.organization('strangers');
  assert.equal((await stranger.ask('GET', icon_url)).status, 404);
});
