/** What a promotion leaves that lost a conversation: its id belongs to others, or to nobody, and this process still knows it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { MessageActions } from './actions.ts';
import { sendReady } from './send.ts';

let server: TestServer;
let ada: TestClient;
let grace: TestClient;
let eve: TestClient;
before(async () => {
  server = await startTestServer();
  ada = await server.user();
  grace = await server.user();
  eve = await server.user();
});
after(() => server.stop());

const query = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await server.app.pool.query<Row>(text, values)).rows;

const write = async (to: TestClient, content: string): Promise<number> =>
  (await ada.ok('POST', '/messages', { type: 'direct', to: [to.userId], content })).id;

/** The ids of the participants of the message's conversation, ascending. */
async function participantsOf(messageId: number): Promise<readonly number[] | undefined> {
  const [row] = await query<{ participants: number[] }>(
    `SELECT participants FROM messages JOIN direct_conversations AS conversation
         ON conversation.organization_id = messages.organization_id AND conversation.id = conversation_id
      WHERE messages.id = $1`,
    messageId,
  );
  return row?.participants;
}

/** Gives the conversation of two users to two others, as if it had been lost and its id taken again. */
async function giveAway(from: readonly number[], to: readonly number[]): Promise<void> {
  await query(
    'UPDATE direct_conversations SET participants = $2, fingerprint = $3 WHERE participants = $1',
    from,
    to,
    to.join(','),
  );
}

const both = (one: TestClient, other: TestClient) => [one.userId, other.userId].sort((a, b) => a - b);

test('a direct message never goes into the conversation that has taken the id of a lost one', async () => {
  await write(grace, 'before');
  await giveAway(both(ada, grace), both(grace, eve));
  const ids = await Promise.all([write(grace, 'after'), write(eve, 'to another'), write(grace, 'again')]);
  assert.deepEqual(await Promise.all(ids.map(participantsOf)), [both(ada, grace), both(ada, eve), both(ada, grace)]);
  // The messages of its narrow are those that name the present conversation.
  const narrow = [{ operator: 'dm', operand: [grace.userId] }];
  const { messages } = await ada.ok('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow });
  assert.deepEqual(messages.map(({ content }: { content: string }) => content).sort(), [
    '<p>after</p>',
    '<p>again</p>',
  ]);
});

test('a ready message of a lost conversation is refused for now, and a repetition begins the conversation again', async () => {
  const organization = await server.app.organizations.bySubdomain('');
  const caller = organization?.directory.user(ada.userId);
  assert(organization !== undefined && caller !== undefined);
  const other = await server.user();
  await write(other, 'before');
  const messages = new MessageActions(server.app);
  const address = { kind: 'direct', users: [other.userId] } as const;
  const attempt = async () => {
    const request = { address, content: 'later', client: 'Internal', readBySender: true, echo: null };
    const ready = await messages.ready(organization, caller, request);
    return messages.sentReady(organization.transact('server', 'optimistic', (change) => sendReady(change, [ready])));
  };
  await giveAway(both(ada, other), both(other, eve));
  await assert.rejects(attempt(), { code: 'SERVICE_UNAVAILABLE' });
  const [sent] = await attempt();
  assert(sent !== undefined && 'messageId' in sent);
  assert.deepEqual(await participantsOf(sent.messageId), both(ada, other));
});

test('a direct message to a lost conversation begins it again', async () => {
  const other = await server.user();
  const first = await write(other, 'first');
  await query('DELETE FROM message_flags WHERE message_id = $1', first);
  const [{ conversation } = { conversation: 0 }] = await query<{ conversation: number }>(
    'DELETE FROM messages WHERE id = $1 RETURNING conversation_id AS conversation',
    first,
  );
  await query(
    `WITH gone AS (DELETE FROM direct_participants WHERE conversation_id = $1)
     DELETE FROM direct_conversations WHERE id = $1`,
    conversation,
  );
  assert.deepEqual(await participantsOf(await write(other, 'second')), both(ada, other));
});
