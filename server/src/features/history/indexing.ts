import { setTimeout as after } from 'node:timers/promises';
import { sql } from 'kysely';
import Type from 'typebox';
import { inTransaction } from '../../db/transaction.ts';
import { type Job, type JobKind, job } from '../../jobs/kind.ts';
import type { Rooms } from '../rooms.ts';

const payload = Type.Object({});

/** Messages are found without the index for as long as it has not got to them (search.ts). */
const kind: JobKind<typeof payload> = {
  name: 'index-messages',
  payload,
  maximumAttempts: 1,
  withinSeconds: 60,
  everySeconds: 5,
};

/** For how long one turn begins commits, in milliseconds: it ends by itself. */
const TURN = 40_000;
/** Messages a commit: edits and deletions wait for some tens of milliseconds at most. */
const BATCH = 500;
/** Before a change of messages that is under way is looked at again, in milliseconds. */
const PAUSE = 20;

export function indexingJobs({ db, pool }: Pick<Rooms, 'db' | 'pool'>): readonly Job[] {
  return [
    job(kind, async ({ signal }) => {
      await indexMessages({ db, pool }, AbortSignal.any([signal, AbortSignal.timeout(TURN)]));
    }),
  ];
}

/**
 * Adds the words of the messages that have come since the last time, some hundreds a commit, the organizations by turns. Whoever is stopped
 * anywhere has left whole commits: the next goes on.
 * @param signal once it is aborted no further commit is begun
 */
export async function indexMessages({ db, pool }: Pick<Rooms, 'db' | 'pool'>, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT logs.organization_id AS id
      FROM logs LEFT JOIN indexed_messages indexed ON indexed.organization_id = logs.organization_id
     WHERE logs.message_head > coalesce(indexed.through, 0)`.execute(db);
  let left = rows.map(({ id }) => id);
  while (left.length > 0) {
    const notDone: number[] = [];
    for (const id of left) {
      if (signal.aborted) return;
      const done = await indexSome(pool, id);
      if (done !== 'all') notDone.push(id);
      if (done === 'none') await after(PAUSE);
    }
    left = notDone;
  }
}

/**
 * Indexes the next messages: none while somebody is changing some. Ids are in the order of commits, so none come later among those that
 * are done.
 */
function indexSome(pool: Rooms['pool'], organizationId: number): Promise<'all' | 'some' | 'none'> {
  return inTransaction(pool, async ({ db }) => {
    // With it, no text is being replaced, and those that were are seen: see the migration. Nobody waits behind a lock that is only tried for.
    const locked = await sql<{ taken: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext('message_words'), ${organizationId}::integer) AS taken`.execute(db);
    if (locked.rows[0]?.taken !== true) return { result: () => 'none' };
    const { rows } = await sql<{ indexed: number }>`
      WITH next AS MATERIALIZED (
        SELECT id, topic, rendered_content FROM messages
         WHERE organization_id = ${organizationId}
           AND id > coalesce((SELECT through FROM indexed_messages WHERE organization_id = ${organizationId}), 0)
         ORDER BY id LIMIT ${BATCH}
      ), added AS (
        INSERT INTO message_words (organization_id, message_id, words)
        SELECT ${organizationId}, id, words_of_message(topic, rendered_content) FROM next
      ), done AS (
        INSERT INTO indexed_messages (organization_id, through)
        SELECT ${organizationId}, max(id) FROM next HAVING count(*) > 0
        ON CONFLICT (organization_id) DO UPDATE SET through = EXCLUDED.through
      )
      SELECT count(*)::integer AS indexed FROM next`.execute(db);
    return { result: () => (rows[0]?.indexed === BATCH ? 'some' : 'all') };
  });
}
