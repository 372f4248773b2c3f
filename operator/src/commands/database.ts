import { startEmbeddedPostgres } from '@heddle/embedded-postgres';
import { clusterDirectoryIn } from '@heddle/embedded-postgres/place.ts';
import { TIMEOUT_FACTOR } from '@heddle/server/config/timeout-factor.ts';
import type { Config } from '@heddle/server/config.ts';
import type { ConnectionSettings } from '@heddle/server/db/connection-settings.ts';
import { BACKGROUND_TIMEOUT_MS } from '@heddle/server/db/timeouts.ts';
import pg from 'pg';
import type { Logger } from 'pino';
import { CommandError } from './command.ts';

/** A database to connect to. */
export interface OpenDatabase {
  readonly connection: ConnectionSettings;
  /** The directory of the embedded cluster. Undefined for a database of the operator. */
  readonly clusterDirectory?: string;
  /** How many connections the database of an operator allows. Undefined for the embedded one, which allows what is needed. */
  readonly maxConnections?: number;
  /** Stops PostgreSQL if this process started it. */
  stop(): Promise<void>;
}

export interface DatabaseNeeds {
  /** The connections of all processes of this server. Default: those of one. */
  readonly connections?: number;
}

/** The oldest supported version, as `server_version_num`. */
const OLDEST_VERSION = 150_000;

/**
 * Opens the database at `HEDDLE_DATABASE_URL`, or starts the embedded PostgreSQL. A command uses that of a running server.
 * @throws CommandError, EmbeddedPostgresError with a message for the operator
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  purpose: 'serve' | 'command',
  { connections }: DatabaseNeeds = {},
): Promise<OpenDatabase> {
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl === null) {
    const timeoutFactor = TIMEOUT_FACTOR;
    const postgres = await startEmbeddedPostgres({ dataDirectory, log, purpose, timeoutFactor, connections });
    return {
      connection: postgres.connection,
      clusterDirectory: clusterDirectoryIn(dataDirectory),
      stop: () => postgres.stop(),
    };
  }
  const connection = { connectionString: databaseUrl };
  const { maxConnections } = await checkServer(connection);
  return { connection, maxConnections, stop: async () => {} };
}

interface ServerFacts {
  readonly version: number;
  readonly encoding: string;
  readonly maxConnections: number;
}

async function checkServer(connection: ConnectionSettings): Promise<ServerFacts> {
  const facts = await askServer(connection);
  const { version, encoding } = facts;
  if (version < OLDEST_VERSION) {
    throw new CommandError(
      `The database at HEDDLE_DATABASE_URL runs PostgreSQL ${(version / 10_000) | 0}. Heddle needs version 15 or newer.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new CommandError(
      `The database at HEDDLE_DATABASE_URL has the encoding ${encoding}. Create it with ENCODING 'UTF8'.`,
    );
  }
  return facts;
}

async function askServer(connection: ConnectionSettings): Promise<ServerFacts> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: BACKGROUND_TIMEOUT_MS,
    query_timeout: BACKGROUND_TIMEOUT_MS,
  });
  try {
    await client.connect();
    const { rows } = await client.query<ServerFacts>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
              current_setting('max_connections')::int AS "maxConnections"`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('The server sent no row.');
    return row;
  } catch (error) {
    throw new CommandError(`Cannot use the database at HEDDLE_DATABASE_URL: ${reasonOf(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A connection attempt to several addresses has a cause for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
