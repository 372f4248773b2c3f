import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { allow } from '../db/transaction.ts';
import { Role } from '../directory/records.ts';
import type { TestClient } from '../testing/clients/client.ts';
import { archiveChannel } from '../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../testing/server/server.ts';
import { accessMessages, type MessageNeed, seeMessages } from './message-door.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

async function opened() {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { directory } = organization;
  const userOf = ({ userId }: TestClient) => {
    const user = directory.user(userId);
    assert(user !== undefined);
    return user;
  };
  return { directory, userOf };
}

/** Returns why the user may not do that with the message, or undefined if they may. */
async function refusal(client: TestClient, messageId: number, need: MessageNeed): Promise<string | undefined> {
  const { directory, userOf } = await opened();
  try {
    await accessMessages(server.app.db, directory, userOf(client), [messageId], need, 'look');
    return undefined;
  } catch (error) {
    assert(error instanceof ApiError);
    return error.message;
  }
}

test('for many users at once, seeMessages shows each user what GET /messages/{id} shows', async () => {
  await owner.subscribe('open');
  await owner.subscribe('vault', { invite_only: true, history_public_to_subscribers: false });
  const ids = [await owner.send('open', 'a', 'x'), await owner.send('vault', 'a', 'before')];
  await owner.subscribe('vault', { principals: [guest.userId] });
  ids.push(await owner.send('vault', 'a', 'after'), await owner.direct([member.userId], 'x'), 99_999_999);
  const { directory, userOf } = await opened();
  const clients = [owner, member, guest];
  const asked = clients.flatMap((client) => ids.map((messageId) => ({ user: userOf(client), messageId })));
  const seen = await seeMessages(server.app.db, directory, asked, 'look');
  const expected = await Promise.all(
    clients.flatMap((client) => ids.map(async (id) => (await client.call('GET', `/messages/${id}`)).status === 200)),
  );
  assert.deepEqual(
    seen.map((message) => message !== undefined),
    expected,
  );
  assert.deepEqual(expected, [
    true,
    true,
    true,
    true,
    false,
    true,
    false,
    false,
    true,
    false,
    false,
    false,
    true,
    false,
    false,
  ]);
});

// rules: edit-27, fetch-3
test('a hidden message gives the same error as one that does not exist, for every need', async () => {
  await owner.subscribe('hidden', { invite_only: true });
  const hidden = await owner.send('hidden', 'a', 'x');
  for (const need of ['read', 'react', 'edit-content', 'delete'] as const) {
    assert.equal(await refusal(member, hidden, need), 'Invalid message(s)');
    assert.equal(await refusal(member, 99_999_999, need), 'Invalid message(s)');
  }
});

test('messages of an archived channel can only be read', async () => {
  await owner.subscribe('old');
  const id = await owner.send('old', 'a', 'x');
  assert.equal(await refusal(member, id, 'react'), undefined);
  await archiveChannel(server, (await owner.ok('GET', '/get_stream_id', { stream: 'old' })).stream_id);
  assert.equal(await refusal(member, id, 'read'), undefined);
  assert.equal(await refusal(member, id, 'react'), 'Invalid message(s)');
});

test('an action that the organization does not grant is refused with the reason', async () => {
  await owner.subscribe('talk');
  const id = await owner.send('talk', 'a', 'x');
  assert.equal(await refusal(member, id, 'edit-content'), "You don't have permission to edit this message");
  assert.equal(await refusal(member, id, 'delete'), "You don't have permission to delete this message");
});

test('a message that is to change is locked until the end of the transaction', async () => {
  await owner.subscribe('busy');
  const id = await owner.send('busy', 'a', 'x');
  const { directory, userOf } = await opened();
  const { db } = server.app;
  const isFree = async () => {
    const { rows } = await sql`SELECT FROM messages WHERE id = ${id} FOR UPDATE SKIP LOCKED`.execute(db);
    return rows.length === 1;
  };
  await db.transaction().execute(async (transaction) => {
    await allow(transaction, { pause: 60_000 });
    await accessMessages(transaction, directory, userOf(owner), [id], 'react', 'look');
    assert(await isFree());
    await accessMessages(transaction, directory, userOf(owner), [id], 'react', 'change');
    assert(!(await isFree()));
  });
  assert(await isFree());
});
