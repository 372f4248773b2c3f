import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
/** Messages sent at noon UTC on the first days of February 2020. */
const ids: number[] = [];
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  await owner.subscribe('looms', { principals: [owner.userId, member.userId] });
  await owner.subscribe('elsewhere');
  await sql`UPDATE messages SET sent_at = make_timestamptz(2020, 1, 1, 0, 0, 0, 'UTC')`.execute(server.app.db);
  for (let day = 1; day <= 6; day++) {
    const [hidden, id] = [await owner.send('elsewhere', 'a', 'x'), await owner.send('looms', `topic ${day % 2}`, 'x')];
    ids.push(id);
    await sql`
      UPDATE messages SET sent_at = make_timestamptz(2020, 2, ${day}, 12, 0, 0, 'UTC') WHERE id IN (${hidden}, ${id})`.execute(
      server.app.db,
    );
  }
});
after(() => server.stop());

const looms = [{ operator: 'channel', operand: 'looms' }];
const around = { anchor: 'date', num_before: 1, num_after: 1, narrow: looms };

async function get(anchor_date: string, more: Fields = {}): Promise<Json> {
  return member.ok('GET', '/messages', { ...around, anchor_date, ...more });
}

/** Returns the days of February whose messages the page contains. */
const days = ({ messages }: Json): number[] => messages.map((message: Json) => ids.indexOf(message.id) + 1);

// rules: fetch-6
test('anchor=date selects the first message on or after the date, with its neighbors', async () => {
  const answer = await get('2020-02-03');
  const { anchor, found_anchor, found_oldest, found_newest } = answer;
  assert.deepEqual([anchor, days(answer)], [ids[2], [2, 3, 4]]);
  assert.deepEqual([found_anchor, found_oldest, found_newest], [true, false, false]);
  const before = await get('2020-02-03', { num_before: 2, num_after: 0, include_anchor: false });
  assert.deepEqual(days(before), [1, 2]);
});

// rules: fetch-6
test('a date without a time means midnight, and without a time zone UTC', async () => {
  for (const [date, first] of [
    ['2020-02-03', 3],
    ['2020-02-03T12:00', 3],
    ['2020-02-03 12:00:00', 3],
    ['2020-02-03T12:00:00.000Z', 3],
    ['2020-02-03t12:00:00.5z', 4],
    ['2020-02-03T12:00:01', 4],
    ['2020-02-03T14:00:00+02:00', 3],
    ['2020-02-03T14:00:01+0200', 4],
    ['2020-02-03T08:00:00-04', 3],
    ['2020-01-01T00:00:01', 1],
  ] as const) {
    const answer = await get(date);
    assert.equal(answer.anchor, ids[first - 1], date);
  }
});

// rules: fetch-6
test('anchor=date respects narrows and searches, and never returns an inaccessible message', async () => {
  const odd = await get('2020-02-02', { narrow: [...looms, { operator: 'topic', operand: 'topic 1' }] });
  assert.deepEqual([odd.anchor, days(odd)], [ids[2], [1, 3, 5]]);
  const sought = await get('2020-02-02', { narrow: [...looms, { operator: 'search', operand: 'x' }] });
  assert.deepEqual([sought.anchor, days(sought)], [ids[1], [1, 2, 3]]);
  const feed = await get('2020-02-02', { narrow: [] });
  assert.deepEqual([feed.anchor, days(feed)], [ids[1], [1, 2, 3]]);
});

// rules: fetch-6
test('without a message on or after the date, the anchor is the newest message', async () => {
  const none = await get('9999-12-31', { num_before: 2 });
  assert.deepEqual([none.anchor, days(none), none.found_newest], [10_000_000_000_000_000, [5, 6], true]);
  const nothing = await get('1888-06-02', { narrow: [...looms, { operator: 'topic', operand: 'never' }] });
  assert.deepEqual([nothing.messages, nothing.found_newest, nothing.found_oldest], [[], true, true]);
});

test('anchor=date finds messages across gaps of deleted messages', async () => {
  await owner.subscribe('gaps', { principals: [owner.userId, member.userId] });
  const sent: number[] = [];
  for (let n = 0; n < 20; n++) sent.push(await owner.send('gaps', 'a', `${n}`));
  const last = sent.at(-1);
  for (const id of sent.slice(0, -1)) await owner.ok('DELETE', `/messages/${id}`);
  const answer = await get('2020-03-01', {
    narrow: [
      { operator: 'channel', operand: 'gaps' },
      { operator: 'topic', operand: 'a' },
    ],
  });
  assert.equal(answer.anchor, last);
});

// rules: fetch-6
test('anchor_date requires anchor=date and must be a valid date', async () => {
  const refusal = async (fields: Fields) => {
    const { code, msg } = await member.fails('GET', '/messages', { num_before: 1, num_after: 1, ...fields });
    return [code, msg];
  };
  const bad = (msg: string) => ['BAD_REQUEST', msg];
  assert.deepEqual(await refusal({ anchor: 'date' }), bad("Missing 'anchor_date' argument."));
  for (const date of ['', 'yesterday', '2020-02-30', '2020-13-01', '2020-02-03T25:00', '2020-02-03T12', '1580731200']) {
    assert.deepEqual(
      await refusal({ anchor: 'date', anchor_date: date }),
      bad('anchor_date is not a date in ISO 8601'),
      date,
    );
  }
  const alone = bad("'anchor_date' needs 'anchor' to be 'date'.");
  assert.deepEqual(await refusal({ anchor: 'newest', anchor_date: '2020-02-03' }), alone);
  assert.deepEqual(await refusal({ anchor_date: '2020-02-03' }), alone);
  const withIds = await member.fails('GET', '/messages', { message_ids: [ids[0]], anchor_date: '2020-02-03' });
  assert.match(withIds.msg, /^Unsupported parameter combination/);
  const flags = { anchor: 'date', num_before: 1, num_after: 1, narrow: [], op: 'add', flag: 'read' };
  await member.fails('POST', '/messages/flags/narrow', flags);
});
