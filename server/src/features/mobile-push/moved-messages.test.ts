import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { holding, isWaitedFor } from '../../testing/database/lock-waits.ts';
import { startTestServer } from '../../testing/server/server.ts';
import { TestPhone, TestPushService } from '../../testing/services/push-service.ts';
import { pushOf } from './running.ts';

test('a notification does not name the private channel to which its message moves meanwhile', async (t) => {
  const service = await TestPushService.start();
  const server = await startTestServer({ environment: service.environment });
  const held = await holding(server.shared.url);
  t.after(async () => {
    await held.end();
    await server.stop();
    await service.stop();
  });
  const reader = await server.user();
  const phone = await new TestPhone().register(reader, service);
  const open = await server.emptyChannel(server.owner, 'open', { principals: [reader.userId] });
  const secret = await server.emptyChannel(server.owner, 'secret', { invite_only: true });
  const id = await server.owner.send(open, 'topic', `for @**${reader.name}|${reader.userId}**`);
  const push = pushOf(server.app);
  await push.settled();
  const sending: Promise<void>[] = [];
  await held.during(
    async (db) => {
      // The server reads this table for the notification's text, but not to check whether the message is unread.
      await db.query('LOCK TABLE direct_conversations IN ACCESS EXCLUSIVE MODE');
      // The server sends the notification again.
      await sql`UPDATE push_notifications SET state = 'due', due_at = now()`.execute(server.app.db);
      sending.push(push.settled());
      await isWaitedFor(db);
      await db.query('UPDATE messages SET channel_id = $2 WHERE id = $1', [id, secret]);
    },
    () => Promise.all(sending),
  );
  const channels = phone.received(service).map(({ channel_id }) => channel_id);
  assert.deepEqual(channels, [open, open]);
});
