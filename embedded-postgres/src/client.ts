import pg from 'pg';
import type { Connection } from './lock.ts';

/**
 * One connection of our own to the cluster. It is watched rather than used: when PostgreSQL dies, or resets itself after a
 * backend died, the connection breaks at once.
 */
export interface Watch {
  readonly client: pg.Client;
  /** Settles (never rejects) with the reason when the connection has ended, for whatever reason. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

/** A machine that is short of processor time needs seconds to accept the first connection. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Creating a database copies files. */
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Connects to the maintenance database, so that this connection does not block a client that drops or restores Heddle's.
 * @throws what `pg` throws if it cannot connect in time
 */
export async function openWatch(connection: Connection, applicationName: string): Promise<Watch> {
  const client = new pg.Client({
    ...connection,
    database: 'postgres',
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
  });
  const ended = new Promise<string>((resolve) => {
    client.on('error', (error) => resolve(error.message));
    client.on('end', () => resolve('the connection was closed'));
  });
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
  return { client, ended, close: () => client.end().catch(() => undefined) };
}
