import { startEmbeddedPostgres } from '@heddle/embedded-postgres';
import { clusterDirectoryIn } from '@heddle/embedded-postgres/place.ts';
import { TIMEOUT_FACTOR } from '@heddle/server/config/timeout-factor.ts';
import type { Config } from '@heddle/server/config.ts';
import { backendOf } from '@heddle/server/db/backend.ts';
import { type ConnectionSettings, connectionSettingsOf } from '@heddle/server/db/connection-settings.ts';
import { DatabaseClient } from '@heddle/server/db/database-client.ts';
import { BACKGROUND_TIMEOUT_MS } from '@heddle/server/db/timeouts.ts';
import type { Logger } from 'pino';
import { CommandError } from './command.ts';
import { keepsBackend } from './pooler.ts';

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
  const connection = connectionSettingsOf(databaseUrl);
  const { maxConnections } = await checkServer(connection);
  return { connection, maxConnections, stop: async () => {} };
}

async function checkServer(connection: ConnectionSettings): Promise<ServerFacts> {
  const facts = await askServer(connection);
  const { version, encoding, isStandby, isPooled } = facts;
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
  if (isStandby) {
    throw new CommandError(
      'The database at HEDDLE_DATABASE_URL is a standby, and Heddle needs to write. Name its primary, or all hosts: a:5432,b:5432.',
    );
  }
  if (isPooled && !(await withReason(() => keepsBackend(() => connectTo(connection))))) {
    throw new CommandError(
      'HEDDLE_DATABASE_URL leads to a pooler that does not keep sessions, such as PgBouncer with pool_mode = transaction. ' +
        'Name PostgreSQL itself, or set pool_mode = session.',
    );
  }
  return facts;
}

interface ServerFacts {
  readonly version: number;
  readonly encoding: string;
  readonly maxConnections: number;
  readonly isStandby: boolean;
  /** Whether a pooler is between this process and PostgreSQL. */
  readonly isPooled: boolean;
}

async function askServer(connection: ConnectionSettings): Promise<ServerFacts> {
  return await withReason(async () => {
    const client = await connectTo(connection);
    try {
      const { rows } = await client.query<Omit<ServerFacts, 'isPooled'> & { readonly backend: number }>(
        `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
                current_setting('max_connections')::int AS "maxConnections", pg_is_in_recovery() AS "isStandby",
                pg_backend_pid() AS backend`,
      );
      const [row] = rows;
      if (row === undefined) throw new Error('The server sent no row.');
      const { backend, ...facts } = row;
      return { ...facts, isPooled: backend !== backendOf(client) };
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}

async function connectTo(connection: ConnectionSettings): Promise<DatabaseClient> {
  const client = new DatabaseClient({
    ...connection,
    connectionTimeoutMillis: BACKGROUND_TIMEOUT_MS,
    query_timeout: BACKGROUND_TIMEOUT_MS,
  });
  // A broken connection makes the next statement fail.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function withReason<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw new CommandError(`Cannot use the database at HEDDLE_DATABASE_URL: ${reasonOf(error)}`, { cause: error });
  }
}

/** A connection attempt to several addresses has a cause for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
