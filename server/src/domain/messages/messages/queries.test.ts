import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { readerOf } from '../../../access/readable-messages.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { type Chosen, selectMessages } from './queries.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

interface Step {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Step[];
}

function stepsOf(step: Step): readonly Step[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)];
}

test('flags of a page of messages are looked up once, however few messages PostgreSQL expects', async () => {
  const { owner } = server;
  await owner.subscribe('crowded');
  const { stream_id: channelId } = await owner.ok('GET', '/get_stream_id', { stream: 'crowded' });
  const organization = await server.app.organizations.bySubdomain('');
  const caller = organization?.directory.user(owner.userId);
  assert(organization !== undefined && caller !== undefined);
  const reader = readerOf(organization.directory, caller);
  const ours = sql`organization_id = ${organization.id}`;
  // PostgreSQL expects that few messages meet each of these conditions, which all hold.
  const chosen: Chosen = {
    finds: 'ids',
    query: sql`SELECT id FROM messages WHERE ${ours} AND id > 1000000 AND id + 0 > id - 1 AND abs(id) = id AND id | 0 = id AND id / 1 = id`,
    among: 'all',
  };
  const steps = await server.app.db.connection().execute(async (db) => {
    await sql`BEGIN`.execute(db);
    await sql`SET LOCAL statement_timeout = 0`.execute(db);
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(db);
    await sql`
      INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
                            is_me_message, client, sent_at)
      SELECT ${organization.id}, 1000000 + number, ${owner.userId}, ${channelId}, '', 'a', 'a', false, false, 'test', now()
        FROM generate_series(1, 5000) AS number`.execute(db);
    await sql`
      INSERT INTO message_flags (organization_id, user_id, message_id, flags)
      SELECT ${organization.id}, ${owner.userId}, id, ${FlagBit.starred} FROM messages WHERE ${ours} AND id > 1000000`.execute(
      db,
    );
    await sql`
      INSERT INTO mass_mentions (organization_id, message_id, first_user_id, user_bits)
      SELECT ${organization.id}, id, 0, '\\x00' FROM messages WHERE ${ours} AND id > 1000000`.execute(db);
    await sql`ANALYZE messages, message_flags, mass_mentions`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': [{ readonly Plan: Step }] }>`
      EXPLAIN (ANALYZE, FORMAT JSON) ${selectMessages(reader, chosen, 'both')}`.execute(db);
    await sql`ROLLBACK`.execute(db);
    return rows.flatMap((row) => stepsOf(row['QUERY PLAN'][0].Plan));
  });
  const marks = steps.filter((step) => ['message_flags', 'mass_mentions'].includes(step['Relation Name'] ?? ''));
  assert.deepEqual(
    marks.map((step) => step['Actual Loops']),
    [1, 1],
  );
});
