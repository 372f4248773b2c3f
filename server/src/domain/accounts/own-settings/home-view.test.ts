import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

// rules: user-settings-5
test('web_home_view accepts the newer name `recent`, and returns the name of level 421', async () => {
  const user = await server.user();
  const types = ['user_settings', 'realm_user_settings_defaults'];
  const queue = await user.register({ event_types: types });
  await user.ok('PATCH', '/settings', { web_home_view: 'recent' });
  await user.ok('PATCH', '/settings', { web_home_view: 'recent_topics' });
  await server.owner.ok('PATCH', '/realm/user_settings_defaults', { web_home_view: 'recent' });
  const received = (await queue.take(2)).map(({ type, property, value }) => [type, property, value]);
  assert.deepEqual(
    received,
    types.map((type) => [type, 'web_home_view', 'recent_topics']),
  );
  const { state } = await user.register({ fetch_event_types: types });
  assert.equal(state.user_settings.web_home_view, 'recent_topics');
  assert.equal(state.realm_user_settings_defaults.web_home_view, 'recent_topics');
});
