import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let member: TestClient;
let png: Buffer;
let gif: Buffer;
before(async () => {
  server = await startTestServer();
  member = await server.user({ name: 'Member' });
  png = await plain(200, 100, 'red').png().toBuffer();
  const frames = await Promise.all(['red', 'green', 'blue'].map((colour) => plain(80, 40, colour).png().toBuffer()));
  gif = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toBuffer();
});
after(() => server.stop());

function plain(width: number, height: number, background: string) {
  return sharp({ create: { width, height, channels: 4, background } });
}

/** Uploads files as API clients do. Returns the status and the response. */
const upload = (client: TestClient, name: string, ...files: readonly Buffer[]) =>
  uploadTo(server.url, client, name, ...files);

async function uploadTo(url: string, client: TestClient, name: string, ...files: readonly Buffer[]) {
  const form = new FormData();
  for (const [index, content] of files.entries())
    form.append(`f${index}`, new Blob([new Uint8Array(content)]), 'x.png');
  const response = await fetch(`${url}/api/v1/realm/emoji/${name}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.email}:${client.apiKey}`)}` },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Json };
}

async function add(client: TestClient, name: string, content = png): Promise<Json> {
  const { status, body } = await upload(client, name, content);
  assert.equal(status, 200, JSON.stringify(body));
  return emojiCalled(client, name);
}

/** Returns the newest emoji of that name. */
async function emojiCalled(client: TestClient, name: string): Promise<Json> {
  const { emoji } = await client.ok('GET', '/realm/emoji');
  return Object.values<Json>(emoji).findLast((one) => one.name === name);
}

async function refusal(client: TestClient, name: string, ...files: readonly Buffer[]): Promise<string> {
  const { status, body } = await upload(client, name, ...files);
  assert(status >= 400 && status < 500, `${name} was accepted`);
  return body.msg;
}

// rules: reactions-7
test('a new emoji is listed, in the initial state and in events, with a public and cacheable picture', async () => {
  const guest = await server.user({ role: Role.guest });
  const queues = await Promise.all([guest, member].map((one) => one.register({ event_types: ['realm_emoji'] })));
  const emoji = await add(member, 'green_tick');
  const { id, source_url } = emoji;
  assert.deepEqual(emoji, {
    id,
    name: 'green_tick',
    source_url,
    still_url: null,
    deactivated: false,
    author_id: member.userId,
  });
  assert.equal(typeof id, 'string');
  for (const queue of queues) {
    const [event] = await queue.take(1);
    assert.deepEqual({ ...event, id: 0 }, { id: 0, type: 'realm_emoji', op: 'update', realm_emoji: { [id]: emoji } });
  }
  assert.deepEqual((await guest.register()).state.realm_emoji, { [id]: emoji });

  const response = await fetch(new URL(source_url, server.url));
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.match(response.headers.get('cache-control') ?? '', /immutable/);
  const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  assert.deepEqual([format, width, height], ['png', 64, 64]);
  assert.equal((await fetch(new URL(source_url.replace('.png', '.gif'), server.url))).status, 404);
});

test('an animated emoji stays animated, and has a still picture', async () => {
  for (const [name, content] of [
    ['spinner', gif],
    ['spinner2', await sharp(gif, { animated: true }).webp().toBuffer()],
  ] as const) {
    const { source_url, still_url } = await add(member, name, content);
    const moving = await fetch(new URL(source_url, server.url));
    assert.match(moving.headers.get('content-type') ?? '', /^image\/(gif|webp)$/);
    const metadata = await sharp(Buffer.from(await moving.arrayBuffer()), { animated: true }).metadata();
    assert.deepEqual([metadata.pages, metadata.width, metadata.pageHeight], [3, 64, 64]);
    const still = await fetch(new URL(still_url, server.url));
    assert.equal(still.headers.get('content-type'), 'image/png');
    assert.equal((await sharp(Buffer.from(await still.arrayBuffer())).metadata()).pages, undefined);
  }
});

test('messages render :name: as the picture, and as text after the emoji is deactivated', async () => {
  const { source_url } = await add(member, 'red_tick');
  const render = async () => {
    const id = await member.send('general', 'ticks', ':red_tick: done');
    return (await member.ok('GET', `/messages/${id}`)).message.content;
  };
  await member.subscribe('general');
  assert.equal(await render(), `<p><img alt=":red_tick:" class="emoji" src="${source_url}" title="red tick"> done</p>`);
  await member.ok('DELETE', '/realm/emoji/red_tick');
  assert.equal(await render(), '<p>:red_tick: done</p>');
});

// rules: reactions-2
test('reactions refer to custom emoji by id, and a deactivated emoji only extends existing reactions', async () => {
  const { id } = await add(member, 'loom');
  const other = await server.user();
  await member.subscribe('general', { principals: [other.userId] });
  const messageId = await member.send('general', 'looms', 'Ready');
  const path = `/messages/${messageId}/reactions`;
  await member.ok('POST', path, { emoji_name: 'loom' });
  const loom = { emoji_name: 'loom', emoji_code: id, reaction_type: 'realm_emoji' };
  assert.equal((await other.fails('POST', path, { ...loom, emoji_code: '999999' })).msg, 'Invalid custom emoji.');
  const next = await member.send('general', 'looms', 'Also ready');
  const elsewhere = `/messages/${next}/reactions`;
  assert.equal(
    (await other.fails('POST', elsewhere, { ...loom, emoji_name: 'boom' })).msg,
    'Invalid custom emoji name.',
  );
  await member.ok('DELETE', '/realm/emoji/loom');
  assert.equal((await other.fails('POST', elsewhere, loom)).msg, 'This custom emoji has been deactivated.');
  await other.ok('POST', path, loom);
  const { message } = await other.ok('GET', `/messages/${messageId}`);
  assert.deepEqual(
    message.reactions.map((one: Json) => [one.reaction_type, one.emoji_code, one.user_id]),
    [member, other].map(({ userId }) => ['realm_emoji', id, userId]),
  );
  await other.ok('DELETE', path, { emoji_code: id, reaction_type: 'realm_emoji' });
});

test('names contain lowercase letters, digits, dashes and underscores, and spaces become underscores', async () => {
  const letters = 'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.';
  for (const name of ['my_em*oji', 'my/emoji', 'my_EMoji', 'é'])
    assert.equal(await refusal(member, name, png), letters);
  assert.equal(await refusal(member, 'my_emoji_', png), 'Emoji names must end with either a letter or digit.');
  assert.equal(await refusal(member, '%20', png), 'Emoji name is missing');
  assert.equal(await refusal(member, 'x'.repeat(101), png), 'Emoji names can have up to 100 characters.');
  assert.equal((await upload(member, '%20my%20emoji%20', png)).status, 200);
  assert.equal((await emojiCalled(member, 'my_emoji')).deactivated, false);
});

test('a name in use is refused, and is free again after its emoji is deactivated', async () => {
  const first = await add(member, 'weaver');
  assert.equal(await refusal(member, 'weaver', png), 'A custom emoji with this name already exists.');
  const queue = await member.register({ event_types: ['realm_emoji'] });
  await member.ok('DELETE', '/realm/emoji/weaver');
  const second = await add(member, 'weaver');
  assert.notEqual(second.id, first.id);
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ realm_emoji: all }) => [all[first.id].deactivated, all[second.id]?.deactivated]),
    [
      [true, undefined],
      [true, false],
    ],
  );
  const answers = await Promise.all(Array.from({ length: 4 }, () => upload(member, 'at_once', png)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('only administrators can override a default emoji', async () => {
  assert.equal(await refusal(member, 'laughing', png), 'Only administrators can override default emoji.');
  const { id } = await add(server.owner, 'laughing');
  await member.subscribe('general');
  const messageId = await member.send('general', 'x', 'x');
  await member.ok('POST', `/messages/${messageId}/reactions`, { emoji_name: 'laughing' });
  const { message } = await member.ok('GET', `/messages/${messageId}`);
  assert.deepEqual([message.reactions[0].reaction_type, message.reactions[0].emoji_code], ['realm_emoji', id]);
});

// rules: reactions-7
test('adding emoji requires the organization’s permission; only authors and administrators deactivate them', async () => {
  const guest = await server.user({ role: Role.guest });
  const other = await server.user();
  assert.equal(await refusal(guest, 'by_guest', png), 'Not allowed for guest users');
  await add(member, 'my_own');
  assert.equal(
    (await other.fails('DELETE', '/realm/emoji/my_own')).msg,
    'Must be an organization administrator or emoji author',
  );
  await server.owner.ok('DELETE', '/realm/emoji/my_own');
  const { status, body } = await member.call('DELETE', '/realm/emoji/my_own');
  assert.deepEqual([status, body.msg], [404, "Emoji 'my_own' does not exist"]);

  const only = { direct_members: [other.userId], direct_subgroups: [] };
  const before = (await member.register()).state.realm_can_add_custom_emoji_group;
  await server.owner.ok('PATCH', '/realm', { can_add_custom_emoji_group: { new: only } });
  assert.equal(await refusal(member, 'not_mine', png), 'Insufficient permission');
  await add(other, 'theirs');
  await server.owner.ok('PATCH', '/realm', { can_add_custom_emoji_group: { new: before } });
});

test('an account that is no administrator changes emoji at most 100 times an hour', async () => {
  const limited = await startTestServer({ environment: { HEDDLE_RATE_LIMITS: 'on' } });
  try {
    const [one, other] = [await limited.user(), await limited.user()];
    const statusOf = async (client: TestClient) => (await client.call('DELETE', '/realm/emoji/missing')).status;
    for (let count = 0; count < 100; count += 1) assert.equal(await statusOf(one), 404);
    assert.deepEqual([await statusOf(one), await statusOf(other)], [429, 404]);
    assert.equal((await uploadTo(limited.url, one, 'one_more', png)).body.code, 'RATE_LIMIT_HIT');
  } finally {
    await limited.stop();
  }
});

test('an account that is no administrator has added at most a fifth of the emoji that an organization can have', async () => {
  const collector = await server.user();
  await sql`
    INSERT INTO custom_emoji (organization_id, name, author_id, file, extension, is_animated, is_deactivated)
    SELECT organization_id, 'gone', id, 'file ' || number, 'png', false, true FROM users, generate_series(1, 1000) AS number
     WHERE id = ${collector.userId}`.execute(server.app.db);
  const restarted = await startTestServer({ shared: server.shared });
  try {
    const { body } = await uploadTo(restarted.url, collector, 'one_more', png);
    assert.equal(body.msg, 'Too many custom emoji of one user (limit: 1000)');
    const same = await restarted.sameUser(collector);
    const helper = await same.ok('POST', '/bots', { full_name: 'Collecting bot', short_name: 'collecting' });
    const { user } = await restarted.owner.ok('GET', `/users/${helper.user_id}`);
    const bot = { email: user.email, apiKey: helper.api_key } as TestClient;
    assert.equal((await uploadTo(restarted.url, bot, 'of_a_bot', png)).body.msg, body.msg);
    assert.equal((await uploadTo(restarted.url, member, 'of_another', png)).status, 200);
  } finally {
    await restarted.stop();
  }
});

test('files that are not pictures, of unsupported formats or too large are refused', async () => {
  const undecodable = 'Could not decode image; did you upload an image file?';
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  );
  for (const content of [
    Buffer.alloc(0),
    Buffer.from('hello'),
    svg,
    png.subarray(0, 60),
    await plain(9, 9, 'red').tiff().toBuffer(),
  ]) {
    const { status, body } = await upload(member, 'nothing', content);
    assert.deepEqual([status, body.code, body.msg], [400, 'BAD_IMAGE', undecodable]);
  }
  const bomb = await plain(9000, 9000, 'red').png({ compressionLevel: 9 }).toBuffer();
  assert.equal(await refusal(member, 'pixel_bomb', bomb), 'Image size exceeds limit.');
  const huge = await upload(member, 'huge', Buffer.alloc(6 * 1024 * 1024));
  assert.equal(huge.body.code, 'PAYLOAD_TOO_LARGE');
  assert.equal(await refusal(member, 'two_files', png, png), 'You must upload exactly one file.');
  assert.equal(await refusal(member, 'none'), 'You must upload exactly one file.');
  const { emoji } = await member.ok('GET', '/realm/emoji');
  for (const name of ['nothing', 'pixel_bomb', 'huge', 'two_files', 'none']) {
    assert(!Object.values<Json>(emoji).some((one) => one.name === name), name);
  }
});

test('metadata and appended data of the file are removed from the picture', async () => {
  const marked = await sharp(png)
    .withExif({ IFD0: { Copyright: 'where I live' } })
    .jpeg()
    .toBuffer();
  const { source_url } = await add(member, 'marked', Buffer.concat([marked, Buffer.from('<script>')]));
  const served = Buffer.from(await (await fetch(new URL(source_url, server.url))).arrayBuffer()).toString('latin1');
  assert(!served.includes('where I live') && !served.includes('<script>'));
});

test('another organization cannot list, fetch or deactivate an emoji', async () => {
  const { source_url, name } = await add(member, 'our_own');
  const stranger = await server.organization('strangers');
  assert.deepEqual((await stranger.ok('GET', '/realm/emoji')).emoji, {});
  assert.equal((await stranger.call('DELETE', `/realm/emoji/${name}`)).status, 404);
  assert.equal((await stranger.ask('GET', source_url)).status, 404);
  const [, , , ...rest] = source_url.split('/');
  assert.equal((await stranger.ask('GET', `/user_avatars/2/${rest.join('/')}`)).status, 404);
  assert.equal((await emojiCalled(member, name)).deactivated, false);
});

test('another process serves the picture', async () => {
  const other = await startTestServer({ shared: server.shared });
  try {
    const { source_url } = await add(member, 'shared');
    const there = await other.sameUser(member);
    const { state } = await there.register();
    assert(Object.values<Json>(state.realm_emoji).some((one) => one.source_url === source_url));
    assert.equal((await there.ask('GET', source_url)).status, 200);
  } finally {
    await other.stop();
  }
});
