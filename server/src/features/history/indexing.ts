import { setTimeout as after } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import Type from 'typebox';
import { ranOutOfTime } from '../../db/failures.ts';
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
interface Batch {
  /** Messages a commit. */
  readonly most: number;
  /** Without, they get no words: nobody finds them by any. */
  readonly words: boolean;
}
const BATCH: Batch = { most: 500, words: true };
const ONE: Batch = { most: 1, words: true };
const ONE_WITHOUT_WORDS: Batch = { most: 1, words: false };
/** Bytes of texts a commit, but for the last one: edits and deletions wait for some tens of milliseconds at most. */
const WEIGHT = 256 * 1024;
/** Before a change of messages that is under way is looked at again, in milliseconds. */
const PAUSE = 20;

type Needed = Pick<Rooms, 'db' | 'pool' | 'log'>;

export function indexingJobs(rooms: Needed): readonly Job[] {
  return [
    job(kind, async ({ signal }) => {
      await indexMessages(rooms, AbortSignal.any([signal, AbortSignal.timeout(TURN)]));
    }),
  ];
}

/**
 * Adds the words of the messages that have come since the last time, some hundreds a commit, the organizations by turns. Whoever is stopped
 * anywhere has left whole commits: the next goes on. An organization with which it fails keeps no other from its turn.
 * @param signal once it is aborted no further commit is begun
 */
export async function indexMessages({ db, pool, log }: Needed, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT logs.organization_id AS id
      FROM logs LEFT JOIN indexed_messages indexed ON indexed.organization_id = logs.organization_id
     WHERE logs.message_head > coalesce(indexed.through, 0)`.execute(db);
  let left = rows.map(({ id }) => id);
  while (left.length > 0) {
    const notDone: number[] = [];
    for (const id of left) {
      if (signal.aborted) return;
      const done = await indexSome(pool, id).catch((error: unknown) => {
        log.warn({ err: error, organizationId: id }, 'messages could not be indexed');
        return 'failed';
      });
      if (done === 'some' || done === 'none') notDone.push(id);
      if (done === 'none') await after(PAUSE);
    }
    left = notDone;
  }
}

type Done = 'all' | 'some' | 'none';

/** Where a text among them is too much for PostgreSQL, the first alone; and where that is the one, without its words. */
async function indexSome(pool: Rooms['pool'], organizationId: number): Promise<Done> {
  for (const batch of [BATCH, ONE]) {
    try {
      return await indexBatch(pool, organizationId, batch);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
    }
  }
  return indexBatch(pool, organizationId, ONE_WITHOUT_WORDS);
}

/** Whether a statement took too long, or was beyond one of PostgreSQL's own limits (SQLSTATE class 54). */
function isTooMuch(error: unknown): boolean {
  return ranOutOfTime(error) || (error instanceof pg.DatabaseError && error.code?.startsWith('54') === true);
}

/**
 * Indexes the next messages: none while somebody is changing some. Ids are in the order of commits, so none come later among those that
 * are done, and up to the head of the log where that is all.
 */
function indexBatch(pool: Rooms['pool'], organizationId: number, { most, words }: Batch): Promise<Done> {
  return inTransaction(pool, async ({ db }) => {
    // With it, no text is being replaced, and those that were are seen: see the migration. Nobody waits behind a lock that is only tried for.
    const locked = await sql<{ taken: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext('message_words'), ${organizationId}::integer) AS taken`.execute(db);
    if (locked.rows[0]?.taken !== true) return { result: () => 'none' };
    const { rows } = await sql<{ all: boolean }>`
      WITH found AS MATERIALIZED (
        SELECT id, topic, rendered_content,
               sum(octet_length(rendered_content)) OVER (ORDER BY id) - octet_length(rendered_content) AS before
          FROM (SELECT id, topic, rendered_content FROM messages
                 WHERE organization_id = ${organizationId}
                   AND id > coalesce((SELECT through FROM indexed_messages WHERE organization_id = ${organizationId}), 0)
                 ORDER BY id LIMIT ${most}) AS following
      ), next AS MATERIALIZED (
        SELECT id, topic, rendered_content FROM found WHERE before < ${WEIGHT}
      ), added AS (
        INSERT INTO message_words (organization_id, message_id, words)
        SELECT ${organizationId}, id, ${words ? sql`words_of_message(topic, rendered_content)` : sql`''::tsvector`} FROM next
      ), done AS MATERIALIZED (
        SELECT (SELECT count(*) FROM next) = (SELECT count(*) FROM found) AND (SELECT count(*) FROM found) < ${most} AS "all"
      ), noted AS (
        INSERT INTO indexed_messages (organization_id, through)
        SELECT ${organizationId}, CASE WHEN done."all" THEN logs.message_head ELSE (SELECT max(id) FROM next) END
          FROM done, logs WHERE logs.organization_id = ${organizationId}
        ON CONFLICT (organization_id) DO UPDATE SET through = EXCLUDED.through
      )
      SELECT "all" FROM done`.execute(db);
    return { result: () => (rows[0]?.all === true ? 'all' : 'some') };
  });
}
