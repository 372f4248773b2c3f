import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { openPool } from '../pool.ts';
import { up } from './0009-system-bots.ts';

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
before(async () => {
  database = await testDatabase();
  pool = openPool(database.connection, pino({ enabled: false }));
});
after(async () => {
  await pool.close();
  await database.drop();
});

test('organizations of before get the server’s bots with an event that says so, but for an address that is taken', async () => {
  const { db } = pool;
  await sql`ALTER TABLE users DROP COLUMN system_bot`.execute(db);
  await sql`INSERT INTO organizations (subdomain, name) VALUES ('', 'One'), ('two', 'Two')`.execute(db);
  await sql`INSERT INTO logs (organization_id, head, directory_head) VALUES (1, 7, 5), (2, 0, 0)`.execute(db);
  await sql`
    INSERT INTO users (organization_id, email, delivery_email, full_name, role)
    VALUES (2, 'x', 'Welcome-Bot@zulip.com', 'Mallory', 400)`.execute(db);
  await up(db as unknown as Kysely<unknown>);
  const bots = await db
    .selectFrom('users')
    .select(['id', 'organization_id', 'system_bot', 'email'])
    .where('is_bot', '=', true)
    .orderBy('id')
    .execute();
  const kindsOf = (organizationId: number) =>
    bots.filter((bot) => bot.organization_id === organizationId).map((bot) => bot.system_bot);
  assert.deepEqual(kindsOf(1).sort(), ['email-gateway', 'notification', 'welcome']);
  assert.deepEqual(kindsOf(2).sort(), ['email-gateway', 'notification']);

  const logs = await db.selectFrom('logs').selectAll().orderBy('organization_id').execute();
  assert.deepEqual(
    logs.map(({ head, directory_head }) => [head, directory_head]),
    [
      [8, 8],
      [1, 1],
    ],
  );
  const events = await db.selectFrom('events').selectAll().orderBy('organization_id').execute();
  for (const [index, event] of events.entries()) {
    assert.equal(event.id, logs[index]?.head);
    assert.deepEqual([JSON.parse(event.audience), JSON.parse(event.body)], [{ to: 'nobody' }, null]);
    const facts = JSON.parse(event.facts ?? '[]').map(({ fact, user }: { fact: string; user: { id: number } }) => [
      fact,
      user.id,
    ]);
    const expected = bots.filter((bot) => bot.organization_id === event.organization_id).map(({ id }) => ['user', id]);
    assert.deepEqual(facts.sort(), expected.sort());
  }
  assert.equal(events.length, 2);
});
