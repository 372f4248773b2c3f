import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const PATH = '/users/me/onboarding_steps';
const FIRST = 'intro_inbox_view_modal';
const LAST = 'intro_resolve_topic';

function named(steps: readonly Json[]): string[] {
  return steps.map(({ name }) => name);
}

// rules: onboarding-1
test('a new user has every onboarding step pending, and no video', async () => {
  const { state } = await (await server.user()).register({ fetch_event_types: ['onboarding_steps'] });
  assert.deepEqual(state.onboarding_steps.at(0), { type: 'one_time_notice', name: FIRST });
  assert.deepEqual(state.onboarding_steps.at(-1), { type: 'one_time_notice', name: LAST });
  assert.equal(state.onboarding_steps.length, 7);
  assert.equal(state.navigation_tour_video_url, null);
});

// rules: onboarding-2
test('a completed step is gone for good, and only its user receives the remaining steps', async () => {
  const [person, other] = await Promise.all([server.user(), server.user()]);
  const [queue, elsewhere] = await Promise.all([
    person.register({ event_types: ['onboarding_steps'] }),
    other.register({ event_types: ['onboarding_steps'] }),
  ]);
  const all = named(queue.state.onboarding_steps);
  for (const step of [LAST, FIRST, FIRST]) await person.ok('POST', PATH, { onboarding_step: step });
  const left = all.filter((name) => name !== FIRST && name !== LAST);
  assert.deepEqual(
    (await queue.take(3)).map((event) => named(event.onboarding_steps)),
    [all.filter((name) => name !== LAST), left, left],
  );
  const { state } = await person.register({ fetch_event_types: ['onboarding_steps'] });
  assert.deepEqual(named(state.onboarding_steps), left);
  assert.deepEqual(await elsewhere.now(), []);
});

// rules: onboarding-2
test('steps that clients are not asked to show can be completed, unknown steps cannot', async () => {
  const person = await server.user();
  const unasked = ['visibility_policy_banner', 'navigation_tour_video', 'narrow_to_dm_with_welcome_bot_new_user'];
  for (const step of unasked) await person.ok('POST', PATH, { onboarding_step: step });
  const { code, msg } = await person.fails('POST', PATH, { onboarding_step: 'invalid' });
  assert.deepEqual([code, msg], ['BAD_REQUEST', 'Unknown onboarding_step: invalid']);
});
