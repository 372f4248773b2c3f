import { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database, Db } from './schema.ts';

/** What `pg` needs to find the database: a connection string, or the embedded cluster's socket. */
export type ConnectionSettings = Pick<
  pg.PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;

/** One pool, two views of it: Kysely for most statements, `pg` itself for the hot prepared ones. */
export interface DatabasePool {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly settings: ConnectionSettings;
  close(): Promise<void>;
}

const INT8 = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    // Every bigint of ours counts events, messages or recipients: far below 2^53.
    if (oid === INT8) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/** Opens the pool. Connections are made on first use; an idle connection that breaks is dropped, not fatal. */
export function openPool(settings: ConnectionSettings, log: Logger, size = 12): DatabasePool {
  const pool = new pg.Pool({
    ...settings,
    max: size,
    types,
    application_name: 'heddle',
    pipeline: true,
    stream: () => new GatheringSocket(), // wire name: `pg` calls its connection so
    connectionTimeoutMillis: 10_000,
  });
  surviveBrokenConnections(pool, log);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, settings, close: () => db.destroy() };
}

/**
 * A connection that breaks never ends the process. The pool itself listens only to idle connections, and hears of a broken one once;
 * one that breaks between two statements of a transaction, or breaks again as it is written to, would be an error that nobody
 * caught. Whoever uses it learns of it from the statement that fails.
 */
export function surviveBrokenConnections(pool: pg.Pool, log: Logger): void {
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke')),
  );
}

/** Sends what is written in one turn of the loop in one go: statements that are begun together cost one system call, not one each. */
class GatheringSocket extends Socket {
  #isGathering = false;

  override write(...data: unknown[]): boolean {
    if (!this.#isGathering) {
      this.#isGathering = true;
      super.cork();
      process.nextTick(() => {
        this.#isGathering = false;
        super.uncork();
      });
    }
    return super.write(...(data as Parameters<Socket['write']>));
  }

  /** `pg` corks each statement by itself, and Node sends at the first `uncork` of several. */
  override cork(): void {}
  override uncork(): void {}
}
