import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import { inSeconds } from '../../testing/server/due.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { TestPhone, TestPushService } from '../../testing/services/push-service.ts';
import { pushOf } from './running.ts';

const HOUR_SECONDS = 3600;

let service: TestPushService;
let server: TestServer;
let sender: TestClient;
let person: TestClient;
let phone: TestPhone;
let channel: number;
before(async () => {
  service = await TestPushService.start();
  server = await startTestServer({ environment: { ...service.environment, HEDDLE_LOG_LEVEL: 'silent' } });
  sender = await server.user({ name: 'Sendra' });
});
beforeEach(async () => {
  service.behaviour = undefined;
  person = await server.user();
  phone = await new TestPhone().register(person, service);
  channel = await server.emptyChannel(sender, `of ${person.userId}`, { principals: [person.userId] });
});
after(async () => {
  await server.stop();
  await service.stop();
});

async function shown(): Promise<readonly string[]> {
  await pushOf(server.app).settled();
  await sql`UPDATE push_notifications SET due_at = now() WHERE due_at IS NOT NULL`.execute(server.app.db);
  await pushOf(server.app).settled();
  return phone.received(service).map(({ content }) => content);
}

const set = (given: Fields) => person.ok('PATCH', '/users/me/quiet_hours', given);
const mention = (text: string) => sender.send(channel, 'topic', `@**${person.name}|${person.userId}** ${text}`);
const direct = (text: string) => sender.direct([person.userId], text);

// rules: quiet-6
test('a pause silences phones, and what it has silenced does not come later', async () => {
  await set({ paused_until: inSeconds(HOUR_SECONDS) });
  await direct('silent');
  await mention('silent, too');
  assert.deepEqual(await shown(), []);
  await set({ paused_until: null });
  assert.deepEqual(await shown(), []);
  await direct('heard');
  assert.deepEqual(await shown(), ['heard']);
});

// rules: quiet-6, quiet-8
test('the schedule silences phones, except of direct messages if the user wants them', async () => {
  await set({ schedule: [{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 0 }] });
  await direct('silent');
  assert.deepEqual(await shown(), []);
  await set({ except_direct_messages: true });
  await mention('silent, too');
  await direct('an exception');
  assert.deepEqual(await shown(), ['an exception']);
});

// rules: quiet-6
test('a notification that waits for the push service is dropped when quiet hours begin', async () => {
  service.behaviour = (_, response) => {
    response.statusCode = 503;
    response.end();
    return true;
  };
  await direct('too late');
  await mention('too late, too');
  await pushOf(server.app).settled();
  await set({ paused_until: inSeconds(HOUR_SECONDS), except_direct_messages: false });
  service.behaviour = undefined;
  assert.deepEqual(
    (await shown()).filter((content) => content !== undefined),
    [],
  );
});
