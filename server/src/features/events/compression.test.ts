import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer } from '../../testing/server/server.ts';

const server = await startTestServer();
after(() => server.stop());

const gzip = { 'accept-encoding': 'gzip' };

async function codingOf(client: TestClient, method: string, path: string, fields: Record<string, unknown> = {}) {
  const { status, headers } = await client.ask(method, `/api/v1${path}`, fields, gzip);
  assert.equal(status, 200);
  return headers['content-encoding'];
}

test('register compresses the initial state unless it contains API keys of bots', async () => {
  const member = await server.user();
  assert.equal(await codingOf(member, 'POST', '/register'), 'gzip');
  await member.call('POST', '/bots', { full_name: 'Key Bot', short_name: 'key', bot_type: 1 });
  assert.equal(await codingOf(member, 'POST', '/register'), undefined);
  assert.equal(await codingOf(member, 'POST', '/register', { fetch_event_types: ['realm'] }), 'gzip');
  // Administrators administer all bots.
  assert.equal(await codingOf(server.owner, 'POST', '/register'), undefined);
});

test('the server compresses a large batch of events unless it contains API keys of bots', async () => {
  const member = await server.user();
  const { queue_id, last_event_id } = (await member.call('POST', '/register', {})).body;
  const poll = () => codingOf(member, 'GET', '/events', { queue_id, last_event_id, dont_block: true });
  const note = (content: string) => ({ type: 'direct', to: [member.userId], content });
  await member.call('POST', '/messages', note('Short'));
  assert.equal(await poll(), undefined);
  for (let index = 0; index < 3; index++) await member.call('POST', '/messages', note('much '.repeat(1900)));
  assert.equal(await poll(), 'gzip');
  await member.call('POST', '/bots', { full_name: 'Late Bot', short_name: 'late', bot_type: 1 });
  assert.equal(await poll(), undefined);
});

test('the server compresses a page of messages', async () => {
  const member = await server.user();
  await member.call('POST', '/messages', { type: 'direct', to: [member.userId], content: 'much '.repeat(1900) });
  const newest = { anchor: 'newest', num_before: 10, num_after: 0 };
  assert.equal(await codingOf(member, 'GET', '/messages', newest), 'gzip');
});

test('the server does not compress lists of bots and of invitations', async () => {
  for (let index = 0; index < 8; index++) {
    await server.owner.call('POST', '/bots', {
      full_name: `List Bot ${index}`,
      short_name: `list${index}`,
      bot_type: 1,
    });
    await server.owner.call('POST', '/invites/multiuse', {});
  }
  assert.equal(await codingOf(server.owner, 'GET', '/bots'), undefined);
  assert.equal(await codingOf(server.owner, 'GET', '/invites'), undefined);
});

test('the server does not compress the login page, which contains the CSRF token of its form', async () => {
  const { headers } = await server.spectator.ask('GET', '/login/', {}, gzip);
  assert.equal(headers['content-encoding'], undefined);
});
