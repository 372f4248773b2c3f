import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { open, upload } from '../../testing/clients/user-files.ts';
import { holding } from '../../testing/database/lock-waits.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let ada: TestClient;
let ben: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  ({ owner } = server);
  ada = await server.user({ name: 'Ada' });
  ben = await server.user({ name: 'Ben' });
  guest = await server.user({ name: 'Guest', role: Role.guest });
  await ada.subscribe('loom', { principals: [ben.userId] });
  await ada.subscribe('closed', { invite_only: true });
});
after(() => server.stop());

/** Returns for each client whether it can open the file. */
async function whoOpens(path: string, clients: readonly TestClient[]): Promise<boolean[]> {
  const opened: boolean[] = [];
  for (const client of clients) {
    const response = await open(server.url, client, path);
    await response.arrayBuffer();
    if (response.status !== 200) assert.equal(response.status, 404);
    opened.push(response.status === 200);
  }
  return opened;
}

const shared = (client: TestClient, content: string) => upload(server.url, client, content);

// rules: files-2
test('only its owner can open a file until a message links to it, then the readers of that message', async () => {
  const path = await shared(ada, 'a pattern');
  assert.deepEqual(await whoOpens(path, [ada, ben, owner, guest]), [true, false, false, false]);
  await ada.direct([guest.userId], `[pattern](${path})`);
  assert.deepEqual(await whoOpens(path, [ada, ben, owner, guest]), [true, false, false, true]);
  await ada.send('loom', 'patterns', `see ${server.url}${path}.`);
  assert.deepEqual(await whoOpens(path, [ada, ben, owner, guest]), [true, true, true, true]);
  const response = await open(server.url, ben, path);
  assert.equal(await response.text(), 'a pattern');
});

// rules: files-11
test('an API key in the URL identifies the reader of a file and of an avatar, but of nothing else', async () => {
  const path = await shared(ada, 'a pattern');
  const read = async (rest: string) => {
    const response = await fetch(`${server.url}${rest}`, { redirect: 'manual' });
    return { status: response.status, text: await response.text() };
  };
  assert.deepEqual(await read(`${path}?api_key=${ada.apiKey}`), { status: 200, text: 'a pattern' });
  assert.equal((await read(`${path}?api_key=${ben.apiKey}`)).status, 404);
  assert.equal((await read(`${path}?api_key=wrong`)).status, 401);
  assert.equal((await read(path)).status, 401);
  assert.equal((await read(`/avatar/${ben.userId}?api_key=${ada.apiKey}`)).status, 302);
  assert.equal((await read(`/avatar/${ben.userId}`)).status, 401);
  const { url } = JSON.parse((await read(`/api/v1${path}?api_key=${ada.apiKey}`)).text);
  assert.deepEqual(await read(url), { status: 200, text: 'a pattern' });
  assert.equal((await read(`/api/v1/users/me?api_key=${ada.apiKey}`)).status, 401);
});

// rules: files-2
test('a link in code does not grant access', async () => {
  const path = await shared(ada, 'code');
  await ada.send('loom', 'code', `\`[x](${path})\``);
  assert.deepEqual(await whoOpens(path, [ben]), [false]);
});

// rules: files-2
test('linking to a file that the sender cannot open grants no access', async () => {
  const path = await shared(ada, 'private');
  await ben.send('loom', 'guess', `[mine](${path})`);
  assert.deepEqual(await whoOpens(path, [ada, ben, owner]), [true, false, false]);
  await ada.direct([ben.userId], `[yours](${path})`);
  await ben.send('loom', 'shared', `[passed on](${path})`);
  assert.deepEqual(await whoOpens(path, [ada, ben, owner]), [true, true, true]);
});

// rules: files-2
test('moves, edits and deletions of messages change who can open a file', async () => {
  const path = await shared(ada, 'moving');
  const message = await ada.send('loom', 'moving', `[file](${path})`);
  assert.deepEqual(await whoOpens(path, [ben]), [true]);
  const closed = (await ada.ok('GET', '/get_stream_id', { stream: 'closed' })).stream_id;
  await owner.ok('PATCH', '/realm', {
    can_move_messages_between_channels_group: JSON.stringify({
      new: (await owner.ok('GET', '/user_groups')).user_groups.find(
        (group: { name: string }) => group.name === 'role:members',
      ).id,
    }),
  });
  await ada.ok('PATCH', `/messages/${message}`, { stream_id: closed, topic: 'moving' });
  assert.deepEqual(await whoOpens(path, [ada, ben]), [true, false]);
  const other = await ada.send('loom', 'edited', 'nothing');
  await ada.ok('PATCH', `/messages/${other}`, { content: `[now](${path})` });
  assert.deepEqual(await whoOpens(path, [ben]), [true]);
  await ada.ok('PATCH', `/messages/${other}`, { content: 'not any more' });
  assert.deepEqual(await whoOpens(path, [ben]), [false]);
  const last = await ada.send('loom', 'deleted', `[once more](${path})`);
  assert.deepEqual(await whoOpens(path, [ben]), [true]);
  await owner.ok('DELETE', `/messages/${last}`);
  assert.deepEqual(await whoOpens(path, [ada, ben]), [true, false]);
});

// rules: files-2
test('making a channel private restricts its files, and protected history hides them from later subscribers', async () => {
  const channel = await server.emptyChannel(ada, 'opening');
  const path = await shared(ada, 'then');
  await ada.send(channel, 'files', `[then](${path})`);
  assert.deepEqual(await whoOpens(path, [ben]), [true]);
  await ada.ok('PATCH', `/streams/${channel}`, { is_private: true, history_public_to_subscribers: false });
  assert.deepEqual(await whoOpens(path, [ben]), [false]);
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'opening' }],
    principals: [ben.userId],
  });
  assert.deepEqual(await whoOpens(path, [ben]), [false]);
  const later = await shared(ada, 'now');
  await ada.send(channel, 'files', `[now](${later})`);
  assert.deepEqual(await whoOpens(later, [ben]), [true]);
});

// rules: files-2
test('spectators can open files of web-public channels, and other files require credentials', async () => {
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  const channel = (
    await owner.ok('POST', '/channels/create', { name: 'shown', subscribers: [owner.userId], is_web_public: true })
  ).id;
  const path = await shared(owner, 'for all');
  const before = await open(server.url, undefined, path);
  assert.equal(before.status, 401);
  await before.arrayBuffer();
  await owner.send(channel, 'files', `[for all](${path})`);
  const response = await open(server.url, undefined, path);
  assert.equal(response.status, 200);
  assert.equal(await response.text(), 'for all');
  await owner.ok('PATCH', `/streams/${channel}`, { is_web_public: false, is_private: false });
  const closed = await open(server.url, undefined, path);
  assert.equal(closed.status, 401);
  await closed.arrayBuffer();
});

// rules: files-2
test('files of a deactivated user stay in messages, and that user cannot open them', async () => {
  const leaver = await server.user({ name: 'Leaver' });
  const path = await shared(leaver, 'left behind');
  await leaver.direct([ben.userId], `[left](${path})`);
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { deactivateUser } = await import('../accounts/accounts/actions.ts');
  await deactivateUser(server.app, organization, leaver.userId);
  assert.deepEqual(await whoOpens(path, [ben]), [true]);
  const refused = await open(server.url, leaver, path);
  assert.equal(refused.status, 401);
  await refused.arrayBuffer();
});

// rules: files-2
test('another organization cannot open a file, by its own URL or the file’s', async () => {
  const path = await shared(ada, 'ours');
  await ada.send('loom', 'ours', `[ours](${path})`);
  const stranger = await server.organization('elsewhere');
  const host = `elsewhere.localhost:${new URL(server.url).port}`;
  const [, , number, ...rest] = path.split('/');
  const own = (await server.app.organizations.bySubdomain('elsewhere'))?.id;
  for (const id of [number, own]) {
    for (const prefix of [
      '/user_uploads',
      '/user_uploads/download',
      '/api/v1/user_uploads',
      '/api/v1/thumbnail/status',
    ]) {
      const { status } = await stranger.ask('GET', `${prefix}/${id}/${rest.join('/')}`, {}, { host });
      assert.equal(status, 404, `${prefix} ${id}`);
    }
  }
});

// rules: files-2
test('a scheduled message grants no access before it is sent, but keeps the file', async () => {
  const path = await shared(ada, 'scheduled');
  const loom = (await ada.ok('GET', '/get_stream_id', { stream: 'loom' })).stream_id;
  const id = (
    await ada.ok('POST', '/scheduled_messages', {
      type: 'channel',
      to: loom,
      topic: 'later',
      content: `[later](${path})`,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
    })
  ).scheduled_message_id;
  assert.deepEqual(await whoOpens(path, [ada, ben]), [true, false]);
  assert.equal(await isKept(path), true);
  await ada.ok('DELETE', `/scheduled_messages/${id}`);
  assert.equal(await isKept(path), false);
});

/** Returns whether anything links to the file, so that it is not deleted after some weeks. */
async function isKept(path: string): Promise<boolean> {
  const row = await server.app.db
    .selectFrom('attachments')
    .select('unlinked_since')
    .where('path_id', '=', path.slice('/user_uploads/'.length))
    .executeTakeFirstOrThrow();
  return row.unlinked_since === null;
}

test('a file is kept if a message links to it while its last scheduled message is deleted', async () => {
  const path = await shared(ada, 'both');
  const loom = (await ada.ok('GET', '/get_stream_id', { stream: 'loom' })).stream_id;
  const target = { type: 'channel', to: loom, topic: 'later', content: `[both](${path})` };
  const later = { ...target, scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600 };
  const { scheduled_message_id: id } = await ada.ok('POST', '/scheduled_messages', later);
  const message = await ada.send('loom', 'now', 'will link to it');
  const held = await holding(server.shared.url);
  try {
    await held.during(
      async (db) => {
        // Acquire the lock that sending a message acquires.
        await db.query('SELECT FROM attachments WHERE path_id = $1 FOR NO KEY UPDATE', [path.slice(14)]);
        await db.query(
          `INSERT INTO attachment_messages (organization_id, attachment_id, message_id)
           SELECT organization_id, id, $2 FROM attachments WHERE path_id = $1`,
          [path.slice(14), message],
        );
      },
      () => ada.ok('DELETE', `/scheduled_messages/${id}`),
    );
  } finally {
    await held.end();
  }
  assert.equal(await isKept(path), true);
});
