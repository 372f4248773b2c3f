import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deactivateUser } from '../features/users/actions.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

test('a request of an account that is closed before its turn changes nothing', async () => {
  const client = await server.user();
  const organization = await server.rooms.organizations.bySubdomain('');
  assert(organization !== undefined);
  const letIn = organization.directory.user(client.userId);
  assert(letIn !== undefined);
  await deactivateUser(server.rooms, organization, client.userId);
  const position = organization.position;
  await assert.rejects(
    organization.changeBy(letIn, async ({ append }) => {
      append({ type: 'typing', audience: { to: 'everyone' }, body: {} });
    }),
    { code: 'USER_DEACTIVATED' },
  );
  assert.equal(organization.position, position);
});

test('a held poll of an account that is closed ends at once', async () => {
  const client = await server.user();
  const organization = await server.rooms.organizations.bySubdomain('');
  assert(organization !== undefined);
  const queue = await client.register({ event_types: ['message'] });
  const held = client.call('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  while (organization.polls.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  await deactivateUser(server.rooms, organization, client.userId);
  const { status, body } = await held;
  assert.equal(status, 400);
  assert.equal(body.code, 'BAD_EVENT_QUEUE_ID');
});
