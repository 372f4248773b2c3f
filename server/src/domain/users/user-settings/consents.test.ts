import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
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

const PATH = '/export/realm/consents';

// rules: user-settings-3
test('administrators list the export consents of all active users, without bots', async () => {
  const gone = await server.user();
  await server.owner.ok('DELETE', `/users/${gone.userId}`);
  await member.ok('POST', '/bots', { full_name: 'Shuttle', short_name: 'shuttle' });
  await member.ok('PATCH', '/settings', { allow_private_data_export: true });
  const { export_consents: consents } = await administrator.ok('GET', PATH);
  assert.deepEqual(
    consents.map(({ user_id, consented }: Json) => [user_id, consented]),
    // In the order in which they joined.
    [server.owner, administrator, member].map((one) => [one.userId, one === member]),
  );
  assert.equal((await member.fails('GET', PATH)).code, 'UNAUTHORIZED_PRINCIPAL');
});

// rules: user-settings-3
test('only administrators receive changes of export consents', async () => {
  const person = await server.user();
  const [queue, elsewhere] = await Promise.all(
    [administrator, person].map((one) => one.register({ event_types: ['realm_export_consent'] })),
  );
  await person.ok('PATCH', '/settings', { allow_private_data_export: true, enter_sends: true });
  await person.ok('PATCH', '/settings', { allow_private_data_export: true });
  await person.ok('PATCH', '/settings', { allow_private_data_export: false });
  assert.deepEqual(
    (await queue?.take(2))?.map(({ id: _, ...event }) => event),
    [true, false].map((consented) => ({ type: 'realm_export_consent', user_id: person.userId, consented })),
  );
  assert.deepEqual(await elsewhere?.now(), []);
});
