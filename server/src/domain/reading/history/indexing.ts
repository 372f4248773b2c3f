import { setTimeout as after } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import Type from 'typebox';
import { backgroundLevel, ranOutOfTime } from '../../../db/failures.ts';
import { NEWEST_EVENTS } from '../../../db/newest-events.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type Job, type JobKind, job } from '../../../jobs/kind.ts';

const payload = Type.Object({});

/** Until the job has reached a message, searches read the message itself (search.ts). */
const kind: JobKind<typeof payload> = {
  name: 'index-messages',
  payload,
  maximumAttempts: 1,
  withinSeconds: 60,
  everySeconds: 5,
};

/** Milliseconds. After this time, a run starts no further commit and ends. */
const RUN_TIME_LIMIT_MS = 40_000;

/**
 * How often to compare all organizations, in milliseconds. Retention may have deleted the events of messages that could not be indexed, for
 * example while no server ran.
 */
const COMPARE_ALL_INTERVAL_MS = 600_000;
interface Batch {
  /** Messages per commit. */
  readonly most: number;
  /** If false, the messages are indexed without words, so no search finds them. */
  readonly words: boolean;
}
const BATCH: Batch = { most: 500, words: true };
const ONE: Batch = { most: 1, words: true };
const ONE_WITHOUT_WORDS: Batch = { most: 1, words: false };
/** Bytes of texts per commit, without the last one. Edits and deletions wait for some tens of milliseconds at most. */
const BATCH_SIZE_BYTES = 256 * 1024;
/** Milliseconds until the next try, while a transaction changes messages. */
const RETRY_PAUSE_MS = 20;

type Needed = Pick<AppContext, 'db' | 'pool' | 'log'>;

export function indexingJobs(app: Needed): readonly Job[] {
  let comparedAt = performance.now();
  return [
    job(kind, async ({ signal }) => {
      const began = performance.now();
      const comparesAll = began - comparedAt >= COMPARE_ALL_INTERVAL_MS;
      if (comparesAll) comparedAt = began;
      await indexMessages(app, AbortSignal.any([signal, AbortSignal.timeout(RUN_TIME_LIMIT_MS)]), comparesAll);
    }),
  ];
}

const ALL_LOGS = sql`SELECT organization_id FROM logs`;
/** An import brings messages without events, and says so in `old_words_through`. */
const CHANGED_LOGS = sql`
  SELECT organization_id FROM newest
   UNION
  SELECT organization_id FROM indexed_messages WHERE old_words_through < 0`;

/**
 * The organizations with messages that are not indexed. Indexes: the primary keys, indexed_messages_to_renew.
 * @param comparesAll also those without recent events
 */
async function withNewMessages(db: Db, comparesAll: boolean): Promise<readonly { readonly id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE newest (organization_id, id) AS (${NEWEST_EVENTS})
    SELECT organization_id AS id FROM (${comparesAll ? ALL_LOGS : CHANGED_LOGS}) AS compared
     WHERE (SELECT message_head FROM logs WHERE organization_id = compared.organization_id)
         > coalesce((SELECT through FROM indexed_messages WHERE organization_id = compared.organization_id), 0)`.execute(
    db,
  );
  return rows;
}

/**
 * Indexes the words of new messages, some hundreds per commit. The organizations take turns. An interruption loses at
 * most the current commit, and the next run continues. A failure in one organization does not stop the others.
 * @param signal no commit starts after it is aborted
 * @param comparesAll also looks for messages of organizations without recent events
 */
export async function indexMessages({ db, pool, log }: Needed, signal: AbortSignal, comparesAll = true): Promise<void> {
  await inTurns({ pool, log }, await withNewMessages(db, comparesAll), signal, indexSome);
  const { rows: old } = await sql<{ id: number }>`
    SELECT organization_id AS id FROM indexed_messages WHERE old_words_through > 0`.execute(db);
  await inTurns({ pool, log }, old, signal, renewSome);
}

/** One commit for each organization, again and again. */
async function inTurns(
  { pool, log }: Pick<Needed, 'pool' | 'log'>,
  organizations: readonly { readonly id: number }[],
  signal: AbortSignal,
  act: (pool: AppContext['pool'], organizationId: number) => Promise<Done>,
): Promise<void> {
  let left = organizations.map(({ id }) => id);
  while (left.length > 0) {
    const notDone: number[] = [];
    for (const id of left) {
      if (signal.aborted) return;
      const done = await act(pool, id).catch((error: unknown) => {
        log[backgroundLevel(error)]({ err: error, organizationId: id }, 'messages could not be indexed');
        return 'failed';
      });
      if (done === 'some' || done === 'none') notDone.push(id);
      if (done === 'none') await after(RETRY_PAUSE_MS);
    }
    left = notDone;
  }
}

type Done = 'all' | 'some' | 'none';

const indexSome = asMuchAsPossible(indexBatch);
const renewSome = asMuchAsPossible(renewBatch);

/**
 * If a text in the batch is too large for PostgreSQL, indexes only the first message. If that is the one, indexes it
 * without words.
 */
function asMuchAsPossible(act: (pool: AppContext['pool'], organizationId: number, batch: Batch) => Promise<Done>) {
  return async (pool: AppContext['pool'], organizationId: number): Promise<Done> => {
    for (const batch of [BATCH, ONE]) {
      try {
        return await act(pool, organizationId, batch);
      } catch (error) {
        if (!isTooMuch(error)) throw error;
      }
    }
    return act(pool, organizationId, ONE_WITHOUT_WORDS);
  };
}

/** Whether a statement timed out, or exceeded a limit of PostgreSQL (SQLSTATE class 54). */
function isTooMuch(error: unknown): boolean {
  return ranOutOfTime(error) || (error instanceof pg.DatabaseError && error.code?.startsWith('54') === true);
}

/**
 * Indexes the next messages; none while a transaction changes texts. Ids follow the order of commits, so no message
 * appears later below an indexed one. If this is the last batch, the index is complete up to the head of the log.
 */
function indexBatch(pool: AppContext['pool'], organizationId: number, { most, words }: Batch): Promise<Done> {
  return inTransaction(pool, async ({ db }) => {
    // The lock excludes transactions that replace texts, and makes their results visible: see the migration. A lock
    // that is only tried has no queue, so no transaction waits for it.
    if (!(await isLocked(db, organizationId))) return { result: () => 'none' };
    const { rows } = await sql<{ all: boolean }>`
      WITH found AS MATERIALIZED (
        SELECT id, topic, rendered_content,
               sum(octet_length(rendered_content)) OVER (ORDER BY id) - octet_length(rendered_content) AS before
          FROM (SELECT id, topic, rendered_content FROM messages
                 WHERE organization_id = ${organizationId}
                   AND id > coalesce((SELECT through FROM indexed_messages WHERE organization_id = ${organizationId}), 0)
                 ORDER BY id LIMIT ${most}) AS following
      ), next AS MATERIALIZED (
        SELECT id, topic, rendered_content FROM found WHERE before < ${BATCH_SIZE_BYTES}
      ), added AS (
        INSERT INTO message_words (organization_id, message_id, words)
        SELECT ${organizationId}, id, ${words ? sql`words_of_message(topic, rendered_content)` : sql`''::tsvector`} FROM next
      ), done AS MATERIALIZED (
        SELECT (SELECT count(*) FROM next) = (SELECT count(*) FROM found) AND (SELECT count(*) FROM found) < ${most} AS "all"
      ), noted AS (
        INSERT INTO indexed_messages (organization_id, through)
        SELECT ${organizationId}, CASE WHEN done."all" THEN logs.message_head ELSE (SELECT max(id) FROM next) END
          FROM done, logs WHERE logs.organization_id = ${organizationId}
        ON CONFLICT (organization_id) DO UPDATE
           SET through = EXCLUDED.through,
               old_words_through = CASE WHEN (SELECT "all" FROM done) THEN greatest(indexed_messages.old_words_through, 0)
                                        ELSE indexed_messages.old_words_through END
      )
      SELECT "all" FROM done`.execute(db);
    return { result: () => (rows[0]?.all === true ? 'all' : 'some') };
  });
}

/**
 * Writes the words of the newest messages again that have those of an earlier version. A message that is not indexed, because its texts were
 * deleted, has none to write.
 */
function renewBatch(pool: AppContext['pool'], organizationId: number, { most, words }: Batch): Promise<Done> {
  return inTransaction(pool, async ({ db }) => {
    if (!(await isLocked(db, organizationId))) return { result: () => 'none' };
    const { rows } = await sql<{ all: boolean }>`
      WITH found AS MATERIALIZED (
        SELECT id, topic, rendered_content,
               sum(octet_length(rendered_content)) OVER (ORDER BY id DESC) - octet_length(rendered_content) AS before
          FROM (SELECT id, topic, rendered_content FROM messages
                 WHERE organization_id = ${organizationId}
                   AND id <= (SELECT old_words_through FROM indexed_messages WHERE organization_id = ${organizationId})
                 ORDER BY id DESC LIMIT ${most}) AS preceding
      ), next AS MATERIALIZED (
        SELECT id, topic, rendered_content FROM found WHERE before < ${BATCH_SIZE_BYTES}
      ), renewed AS (
        UPDATE message_words
           SET words = ${words ? sql`words_of_message(next.topic, next.rendered_content)` : sql`''::tsvector`}
          FROM next WHERE message_words.organization_id = ${organizationId} AND message_words.message_id = next.id
      )
      UPDATE indexed_messages
         SET old_words_through = coalesce((SELECT min(id) - 1 FROM next), 0)
       WHERE organization_id = ${organizationId}
      RETURNING old_words_through = 0 AS "all"`.execute(db);
    return { result: () => (rows[0]?.all === false ? 'some' : 'all') };
  });
}

async function isLocked(db: Db, organizationId: number): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtext('message_words'), ${organizationId}::integer) AS taken`.execute(db);
  return rows[0]?.taken === true;
}
