import pg from 'pg';
import { MIGRATIONS } from '../waits.ts';
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

/**
 * Connects or throws what `pg` throws; gives up after 3 s, and on a statement after a minute (creating the database copies files). To the maintenance database, so that we are not in the way of
 * one who drops or restores Heddle's.
 */
export async function openWatch(connection: Connection, applicationName: string): Promise<Watch> {
  const client = new pg.Client({
    ...connection,
    database: 'postgres',
    application_name: applicationName,
    connectionTimeoutMillis: 3_000,
    query_timeout: MIGRATIONS.pause,
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
