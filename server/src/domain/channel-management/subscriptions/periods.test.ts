/** The ended periods of a subscription. They decide what a user can read of protected history. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
});
after(() => server.stop());

/** From the second number on, the ended periods of a subscription are reduced to the first. */
const [KEPT, MOST] = [100, 125];

let made = 0;

/** A channel with protected history, and a user who is added to it and removed. */
async function scene() {
  const guest = await server.user();
  made += 1;
  const name = `vault ${made}`;
  const fields = { invite_only: true, history_public_to_subscribers: false };
  const id = await server.emptyChannel(owner, name, fields);
  const whose = sql`organization_id = (SELECT organization_id FROM users WHERE id = ${guest.userId})
                    AND user_id = ${guest.userId} AND channel_id = ${id}`;
  return {
    guest,
    come: () => owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [guest.userId] }),
    go: () => owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [guest.userId] }),
    say: () => owner.send(name, 'a', 'x'),
    /** The first events of the ended periods, ascending. */
    async periods(): Promise<readonly number[]> {
      const { rows } = await sql<{ since: number }>`
        SELECT since_event_id AS since FROM subscription_intervals WHERE ${whose} ORDER BY 1`.execute(server.app.db);
      return rows.map(({ since }) => since);
    },
    /** Makes the only ended period older, and adds later ones with the same messages, or without any. */
    async fill(count: number, kind: 'with messages' | 'without messages') {
      await sql`
        UPDATE subscription_intervals SET since_event_id = -1000, until_event_id = -999 WHERE ${whose}`.execute(
        server.app.db,
      );
      await sql`
        INSERT INTO subscription_intervals (organization_id, user_id, channel_id, since_event_id, until_event_id,
                                            since_message_id, until_message_id)
        SELECT organization_id, user_id, channel_id, -number, 1 - number,
               CASE WHEN ${kind === 'with messages'} THEN since_message_id ELSE until_message_id END, until_message_id
          FROM subscription_intervals, generate_series(1, ${count}::integer) AS number WHERE ${whose}`.execute(
        server.app.db,
      );
    },
  };
}

async function canRead(client: TestClient, messageId: number): Promise<boolean> {
  return (await client.call('GET', `/messages/${messageId}`)).status === 200;
}

// rules: subscriptions-18
test('a user who comes and goes without messages keeps the access to those received before, and few periods', async () => {
  const { guest, come, go, say, periods, fill } = await scene();
  await come();
  const received = await say();
  await go();
  const missed = await say();
  await fill(MOST - 1, 'without messages');
  await come();
  assert.deepEqual([await canRead(guest, received), await canRead(guest, missed)], [true, false]);
  await go();
  const kept = await periods();
  assert.equal(kept.length, KEPT);
  // The first one has a message. Of the others, the newest stay.
  assert.deepEqual(kept.slice(0, 2), [-1000, 2 - KEPT]);
  await come();
  assert.deepEqual([await canRead(guest, received), await canRead(guest, missed)], [true, false]);
});

// rules: subscriptions-18
test('of too many ended periods with messages, the oldest ones go, and no access is gained', async () => {
  const { guest, come, go, say, periods, fill } = await scene();
  await come();
  const first = await say();
  await go();
  await fill(MOST - 1, 'with messages');
  const missed = await say();
  await come();
  const second = await say();
  // The oldest period is of the first message, and all others are of the second one.
  await sql`
    UPDATE subscription_intervals SET since_message_id = ${missed}, until_message_id = ${second}
     WHERE user_id = ${guest.userId} AND since_event_id > -1000`.execute(server.app.db);
  const readable = async () => [
    await canRead(guest, first),
    await canRead(guest, missed),
    await canRead(guest, second),
  ];
  assert.deepEqual([(await periods()).length, await readable()], [MOST, [true, false, true]]);
  await go();
  const kept = await periods();
  assert.deepEqual([kept.length, kept[0]], [KEPT, 1 - KEPT]);
  await come();
  assert.deepEqual(await readable(), [false, false, true]);
});
