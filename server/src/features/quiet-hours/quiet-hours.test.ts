import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { type Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { inSeconds } from '../../testing/server/due.ts';
import { HiddenPeople } from '../../testing/server/hidden-people.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

const NONE = { paused_until: null, resumed_until: null, schedule: [], except_direct_messages: false };
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const ALWAYS = [{ days: EVERY_DAY, from: 0, to: 0 }];
const HOUR_SECONDS = 3600;
const AWARE = { client_capabilities: { quiet_hours: true }, event_types: ['quiet_hours'] };

let server: TestServer;
let user: TestClient;
let colleague: TestClient;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent' } });
  colleague = await server.user();
});
beforeEach(async () => {
  user = await server.user();
});
after(() => server.stop());

const change = async (given: Fields): Promise<Json> =>
  (await user.ok('PATCH', '/users/me/quiet_hours', given)).quiet_hours;
const ownState = async (): Promise<Json> => (await user.register(AWARE)).state.quiet_hours;
/** Whether the notifications are paused, and until when. */
const seenBy = async (reader: TestClient): Promise<readonly [boolean, number | null]> => {
  const { paused, paused_until } = await reader.ok('GET', `/users/${user.userId}/quiet_hours`);
  return [paused, paused_until];
};
const NOTIFIED = [false, null];

// rules: quiet-1, quiet-2
test('each change reaches the other clients of the user, and nobody else', async () => {
  assert.deepEqual(await ownState(), NONE);
  const [own, others] = [await user.register(AWARE), await colleague.register(AWARE)];
  const paused_until = inSeconds(HOUR_SECONDS);
  assert.deepEqual(await change({ paused_until }), { ...NONE, paused_until });
  // What changes nothing is no event.
  await change({ paused_until });
  const schedule = [{ days: [7, 6, 6], from: 60, to: 30 }];
  const kept = { ...NONE, paused_until, schedule: [{ days: [6, 7], from: 60, to: 30 }], except_direct_messages: true };
  assert.deepEqual(await change({ schedule, except_direct_messages: true }), kept);
  assert.deepEqual(await ownState(), kept);
  assert.deepEqual(
    (await own.take(2)).map(({ type, quiet_hours }: Json) => [type, quiet_hours]),
    [
      ['quiet_hours', { ...NONE, paused_until }],
      ['quiet_hours', kept],
    ],
  );
  assert.deepEqual(await others.now(), []);
});

// rules: quiet-2
test('clients without the capability neither see nor need it', async () => {
  const queue = await user.register({});
  assert(!('quiet_hours' in queue.state));
  await change({ except_direct_messages: true });
  await user.ok('POST', '/users/me/status', { status_text: 'here' });
  assert.deepEqual(
    (await queue.take(1)).map(({ type }: Json) => type),
    ['user_status'],
  );
});

// rules: quiet-1
test('values that make no sense are refused', async () => {
  const refused: readonly Fields[] = [
    { paused_until: inSeconds(-60) },
    { paused_until: inSeconds(400 * 24 * HOUR_SECONDS) },
    { schedule: [{ days: [], from: 0, to: 60 }] },
    { schedule: [{ days: [8], from: 0, to: 60 }] },
    { schedule: [{ days: [1], from: 0, to: 1440 }] },
    { schedule: [{ days: [1], from: -1, to: 60 }] },
    { schedule: Array.from({ length: 8 }, () => ({ days: [1], from: 0, to: 60 })) },
  ];
  for (const given of refused) {
    const { result, code } = await user.call('PATCH', '/users/me/quiet_hours', given).then(({ body }) => body);
    assert.deepEqual([result, code], ['error', 'BAD_REQUEST'], JSON.stringify(given));
  }
  assert.deepEqual(await ownState(), NONE);
});

// rules: quiet-3, quiet-5
test('others see the end of a pause but not of a schedule, and who resumes is notified until the next window', async () => {
  assert.deepEqual(await seenBy(colleague), NOTIFIED);
  const paused_until = inSeconds(HOUR_SECONDS);
  await change({ paused_until });
  assert.deepEqual(await seenBy(colleague), [true, paused_until]);
  await change({ paused_until: null });
  assert.deepEqual(await seenBy(colleague), NOTIFIED);
  // Now, in UTC: from an hour ago to an hour ahead, on each day.
  const minute = Math.floor(Date.now() / 60_000) % 1440;
  const around = [{ days: EVERY_DAY, from: (minute + 1380) % 1440, to: (minute + 60) % 1440 }];
  await change({ schedule: around });
  for (const reader of [colleague, user]) assert.deepEqual(await seenBy(reader), [true, null]);
  const { resumed_until: end } = await change({ paused_until: null });
  assert(end !== null && Math.abs(end - inSeconds(HOUR_SECONDS)) <= 120, String(end));
  assert.deepEqual(await seenBy(colleague), NOTIFIED);
  // Another pause is stronger. Where it ends in a window, the end of the window stays unknown. Another schedule begins anew.
  await change({ paused_until });
  assert.deepEqual(await seenBy(colleague), [true, paused_until]);
  await change({ schedule: ALWAYS });
  assert.deepEqual(await seenBy(colleague), [true, paused_until]);
  await change({ paused_until: null });
  assert.deepEqual(await seenBy(colleague), NOTIFIED);
  assert.equal((await change({ schedule: ALWAYS })).resumed_until, null);
  assert.deepEqual(await seenBy(colleague), [true, null]);
});

// rules: quiet-4
test('the schedule is in the time zone of the user', async () => {
  const hour = Number(
    new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Asia/Tokyo' }).format(),
  );
  // The hour before, this one and the next, so that the clock may go on.
  const from = ((hour + 23) % 24) * 60;
  await change({ schedule: [{ days: EVERY_DAY, from, to: (from + 180) % 1440 }] });
  assert.deepEqual(await seenBy(colleague), NOTIFIED);
  await user.ok('PATCH', '/settings', { timezone: 'Asia/Tokyo' });
  assert.deepEqual(await seenBy(colleague), [true, null]);
});

// rules: quiet-5
test('who cannot access a user, does not learn of the pause', async () => {
  const people = new HiddenPeople(server);
  await people.hide(true);
  const guest = await people.guest();
  await change({ paused_until: inSeconds(HOUR_SECONDS) });
  const { body } = await guest.call('GET', `/users/${user.userId}/quiet_hours`);
  assert.deepEqual([body.result, body.msg], ['error', 'Insufficient permission']);
  await people.hide(false);
});

// rules: quiet-1, quiet-5
test('bots have no quiet hours, and learn none of others', async () => {
  const { api_key: apiKey, user_id } = await user.ok('POST', '/bots', { full_name: 'Quiet', short_name: 'quiet' });
  const { paused, paused_until } = await user.ok('GET', `/users/${user_id}/quiet_hours`);
  assert.deepEqual([paused, paused_until], NOTIFIED);
  const { email } = (await user.ok('GET', `/users/${user_id}`)).user;
  const { url } = server;
  const bot = new TestClient({ url, host: new URL(url).host, email, apiKey, userId: user_id, name: 'Quiet' });
  const { code, msg } = await bot.fails('GET', `/users/${user.userId}/quiet_hours`);
  assert.deepEqual([code, msg], ['BAD_REQUEST', 'This endpoint does not accept bot requests.']);
});

test('two devices that change different things at once lose nothing', async () => {
  const paused_until = inSeconds(HOUR_SECONDS);
  await Promise.all([change({ paused_until }), change({ schedule: ALWAYS }), change({ except_direct_messages: true })]);
  assert.deepEqual(await ownState(), { ...NONE, paused_until, schedule: ALWAYS, except_direct_messages: true });
  const { rows } = await sql`SELECT FROM quiet_hours WHERE user_id = ${user.userId}`.execute(server.app.db);
  assert.equal(rows.length, 1);
});
