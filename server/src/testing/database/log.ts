import { sql } from 'kysely';
import { pino } from 'pino';
import { openPool } from '../../db/pool.ts';
import type { Db } from '../../db/schema.ts';
import { commitLocked } from '../../log/change.ts';
import type { NewEvent } from '../../log/event.ts';
import type { Retention } from '../../log/retention.ts';
import { testDatabase } from './database.ts';

/** The number of an organization that has nothing but a log. */
export interface TestLog {
  readonly db: Db;
  readonly pool: ReturnType<typeof openPool>['pool'];
  readonly connection: ReturnType<typeof openPool>['settings'];
  /** Creates an organization with an empty log. Returns its id. */
  organization(): Promise<number>;
  stop(): Promise<void>;
}

export const silent = pino({ enabled: false });

/** A separate database for a test file, with as many connections as its writers and readers need. */
export async function openTestLog(connections = 20): Promise<TestLog> {
  const database = await testDatabase();
  const { db, pool, settings, close } = openPool(database.connection, silent, { size: connections });
  let made = 0;
  return {
    db,
    pool,
    connection: settings,
    async organization() {
      made += 1;
      const { rows } = await sql<{ id: number }>`
        WITH made AS (
          INSERT INTO organizations (subdomain, name) VALUES (${`o${made}`}, 'Organization') RETURNING id
        )
        INSERT INTO logs (organization_id) SELECT id FROM made RETURNING organization_id AS id`.execute(db);
      const id = rows[0]?.id;
      if (id === undefined) throw new Error('the organization was not made');
      return id;
    },
    async stop() {
      await close();
      await database.drop();
    },
  };
}

/** Keeps events as long as a queue can request them, and no longer. */
export const KEPT_FOR_QUEUES: Retention = { minSeconds: 0, maxSeconds: 86_400, maxEvents: 2_000_000 };

/** An event for everyone whose body is a word. */
export function word(text: string): NewEvent {
  return { type: 'word', audience: { to: 'everyone' }, body: text };
}

/** Commits words in one transaction, in order. */
export function commitWords(pool: TestLog['pool'], organizationId: number, ...words: readonly string[]) {
  return commitLocked(pool, organizationId, async ({ append }) => words.map((text) => append(word(text))));
}
