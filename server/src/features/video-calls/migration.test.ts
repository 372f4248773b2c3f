import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../../db/migrate.ts';
import { openPool } from '../../db/pool.ts';
import { MIGRATION_TIMEOUTS } from '../../db/timeouts.ts';
import { testDatabase } from '../../testing/database/database.ts';
import { silent } from '../../testing/database/log.ts';

test('the migration gives BigBlueButton the ID of the reference, and changes no other provider', async (t) => {
  const database = await testDatabase('empty');
  const { db, close } = openPool(database.connection, silent, { timeouts: MIGRATION_TIMEOUTS });
  t.after(async () => {
    await close();
    await database.drop();
  });
  await migrate(db, silent, '0014-received-mails');
  await sql`
    INSERT INTO organizations (subdomain, name, settings) VALUES
      ('default', 'Default', '{}'),
      ('none', 'None', '{"video_chat_provider": 0}'),
      ('jitsi', 'Jitsi', '{"video_chat_provider": 1, "jitsi_server_url": "https://meet.example.com"}'),
      ('button', 'Button', '{"video_chat_provider": 3, "default_language": "de"}'),
      ('url', 'URL', '{"video_chat_provider": 100}')`.execute(db);
  await migrate(db, silent, '0015-big-blue-button');
  const { rows } = await sql`SELECT subdomain, settings FROM organizations ORDER BY id`.execute(db);
  assert.deepEqual(rows, [
    { subdomain: 'default', settings: {} },
    { subdomain: 'none', settings: { video_chat_provider: 0 } },
    { subdomain: 'jitsi', settings: { video_chat_provider: 1, jitsi_server_url: 'https://meet.example.com' } },
    { subdomain: 'button', settings: { video_chat_provider: 4, default_language: 'de' } },
    { subdomain: 'url', settings: { video_chat_provider: 100 } },
  ]);
});
