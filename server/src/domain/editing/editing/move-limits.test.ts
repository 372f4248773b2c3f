/** Time limits for moving messages (interface document, "States and transitions", "Errors"). */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import { move, newPlace, placeOf, refuseMove, say } from '../../../testing/server/moves.ts';
import { changeOrganization } from '../../../testing/server/rare-changes.ts';
import { type NewChannelFields, startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user({ name: 'Mia Member' });
});
after(() => server.stop());
afterEach(() =>
  changeOrganization(server, {
    move_messages_within_channel_limit_seconds: undefined,
    move_messages_between_channels_limit_seconds: undefined,
  }),
);

/** Creates a channel of the owner, with the member subscribed. */
const place = (fields?: NewChannelFields) => newPlace(server, [member], fields);

const messageOf = async (id: number) => (await owner.ok('GET', `/messages/${id}`)).message;

async function age(id: number, seconds: number): Promise<void> {
  await sql`UPDATE messages SET sent_at = now() - make_interval(secs => ${seconds}) WHERE id = ${id}`.execute(
    server.app.db,
  );
}

// rules: edit-21, limits-7
test('time limits apply to users below moderator, separately for each kind of move', async () => {
  const [from, to] = [await place(), await place()];
  const moderator = await server.user({ role: Role.moderator });
  await changeOrganization(server, {
    move_messages_within_channel_limit_seconds: 60,
    move_messages_between_channels_limit_seconds: 120,
  });
  const [early, late, later] = await say(from, 'a', 3, member);
  await age(late, 90);
  await age(later, 150);
  await age(early, 61);
  await move(member, early, { topic: 'b' });
  const topicPassed = "The time limit for editing this message's topic has passed.";
  assert.equal(await refuseMove(member, late, { topic: 'b' }), topicPassed);
  await move(member, late, { stream_id: to.id });
  const channelPassed = "The time limit for editing this message's channel has passed";
  for (const topic of [undefined, '✔ a']) {
    assert.equal(await refuseMove(member, later, { stream_id: to.id, topic }), channelPassed);
  }
  await move(moderator, later, { stream_id: to.id, topic: 'b' });
});

// rules: edit-23, errors-7
test('in every mode, a refusal for old messages has MOVE_MESSAGES_TIME_LIMIT_EXCEEDED and the movable messages', async () => {
  const channel = await place();
  const ids = await say(channel, 'a', 3, member);
  await changeOrganization(server, { move_messages_within_channel_limit_seconds: 60 });
  await age(ids[0], 1000);
  const refusals = async () => {
    const modes = ['change_one', 'change_later', 'change_all'].map(async (propagate_mode) => {
      const { result, msg, ...refusal } = await member.fails('PATCH', `/messages/${ids[0]}`, {
        topic: 'b',
        propagate_mode,
      });
      return refusal;
    });
    return await Promise.all(modes);
  };
  const expectedRefusals = (first: number | undefined | null, allowed: number) =>
    Array(3).fill({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: first,
      total_messages_allowed_to_move: allowed,
      total_messages_in_topic: 3,
    });
  assert.deepEqual(await refusals(), expectedRefusals(ids[1], 2));
  for (const id of ids.slice(1, 3)) await age(id, 1000);
  assert.deepEqual(await refusals(), expectedRefusals(null, 0));
});

// rules: edit-24, errors-7
test('the refusal for a partly too old topic names the movable messages, and moving those succeeds', async () => {
  const channel = await place();
  const ids = await say(channel, 'a', 5, member);
  await changeOrganization(server, { move_messages_within_channel_limit_seconds: 60 });
  for (const id of ids.slice(0, 2)) await age(id, 1000);
  const { msg, code, ...more } = await member.fails('PATCH', `/messages/${ids[4]}`, {
    topic: 'b',
    propagate_mode: 'change_all',
  });
  assert.equal(code, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED');
  assert.equal(msg, 'You only have permission to move the 3/5 most recent messages in this topic.');
  assert.deepEqual(more, {
    result: 'error',
    first_message_id_allowed_to_move: ids[2],
    total_messages_allowed_to_move: 3,
    total_messages_in_topic: 5,
  });
  await move(member, more.first_message_id_allowed_to_move, { topic: 'b', propagate_mode: 'change_later' });
  const topics = await Promise.all(ids.map(async (id) => (await messageOf(id)).subject));
  assert.deepEqual(topics, ['a', 'a', 'b', 'b', 'b']);
});

// rules: edit-21
test('a move to another channel and topic must meet the stricter limit', async () => {
  const [from, to] = [await place(), await place()];
  const ids = await say(from, 'a', 2, member);
  await changeOrganization(server, {
    move_messages_within_channel_limit_seconds: 60,
    move_messages_between_channels_limit_seconds: 3600,
  });
  await age(ids[0], 200);
  const both = { topic: 'b', stream_id: to.id, propagate_mode: 'change_all' };
  assert.equal((await member.fails('PATCH', `/messages/${ids[1]}`, both)).total_messages_allowed_to_move, 1);
  await move(member, ids[1], { stream_id: to.id, propagate_mode: 'change_all' });
});

// rules: edit-21
test('resolving a topic on its move to another channel is limited like the channel move', async () => {
  const [from, to] = [await place(), await place()];
  const ids = await say(from, 'a', 2, member);
  await changeOrganization(server, { move_messages_between_channels_limit_seconds: 60 });
  await age(ids[0], 200);
  const both = { topic: '✔ a', stream_id: to.id, propagate_mode: 'change_all' };
  assert.equal((await member.fails('PATCH', `/messages/${ids[1]}`, both)).first_message_id_allowed_to_move, ids[1]);
  await move(member, ids[1], { ...both, propagate_mode: 'change_later' });
  assert.deepEqual(await Promise.all(ids.slice(0, 2).map((id) => placeOf(owner, id))), [
    [from.id, 'a'],
    [to.id, '✔ a'],
  ]);
});

// rules: edit-25
test('with protected history only messages that the mover can read are counted and moved', async () => {
  const vault = await place({ invite_only: true, history_public_to_subscribers: false });
  const before = await say(vault, 'a', 2, owner);
  const late = await server.user();
  await owner.subscribe(vault.name, { principals: [late.userId] });
  const after = await say(vault, 'a', 3, owner);
  await changeOrganization(server, { move_messages_within_channel_limit_seconds: 60 });
  await age(after[0], 1000);
  const all = { topic: 'b', propagate_mode: 'change_all' };
  const { total_messages_in_topic: total } = await late.fails('PATCH', `/messages/${after[1]}`, all);
  assert.equal(total, 3);
  await changeOrganization(server, { move_messages_within_channel_limit_seconds: undefined });
  await move(late, after[1], { ...all, send_notification_to_old_thread: true, send_notification_to_new_thread: true });
  for (const id of before) assert.deepEqual(await placeOf(owner, id), [vault.id, 'a']);
  for (const id of after) assert.deepEqual(await placeOf(owner, id), [vault.id, 'b']);
});
