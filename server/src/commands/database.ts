import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { ConnectionSettings } from '../db/connection-settings.ts';
import { startEmbeddedPostgres } from '../db/embedded/index.ts';
import { clusterDirectoryIn } from '../db/embedded/place.ts';
import { BACKGROUND } from '../db/waits.ts';
import { CommandError } from './command.ts';

/** A database that can be connected to. */
export interface OpenDatabase {
  readonly connection: ConnectionSettings;
  /** Where the embedded cluster is; undefined for a database of the operator's. */
  readonly clusterDirectory?: string;
  /** Stops PostgreSQL if this process started it. */
  stop(): Promise<void>;
}

/** PostgreSQL's own number for the oldest version that serves. */
const oldestVersion = 150_000;

/**
 * The database that the settings name: the one at `HEDDLE_DATABASE_URL`, or the embedded PostgreSQL, started unless it
 * runs (a command uses a running server's).
 * @throws CommandError, EmbeddedPostgresError with what the operator can do
 */
export async function openDatabase(config: Config, log: Logger, purpose: 'serve' | 'command'): Promise<OpenDatabase> {
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl === null) {
    const postgres = await startEmbeddedPostgres({ dataDirectory, log, purpose });
    return {
      connection: postgres.connection,
      clusterDirectory: clusterDirectoryIn(dataDirectory),
      stop: () => postgres.stop(),
    };
  }
  const connection = { connectionString: databaseUrl };
  await checkServer(connection);
  return { connection, stop: async () => {} };
}

async function checkServer(connection: ConnectionSettings): Promise<void> {
  const { version, encoding } = await askServer(connection);
  if (version < oldestVersion) {
    throw new CommandError(
      `The database at HEDDLE_DATABASE_URL runs PostgreSQL ${(version / 10_000) | 0}. Heddle needs version 15 or newer.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new CommandError(
      `The database at HEDDLE_DATABASE_URL has the encoding ${encoding}. Create it with ENCODING 'UTF8'.`,
    );
  }
}

async function askServer(connection: ConnectionSettings): Promise<{ version: number; encoding: string }> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: BACKGROUND, query_timeout: BACKGROUND });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; encoding: string }>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('no answer');
    return row;
  } catch (error) {
    throw new CommandError(`Cannot use the database at HEDDLE_DATABASE_URL: ${reasonOf(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Where none of several addresses answered, the causes say more than the error itself. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
