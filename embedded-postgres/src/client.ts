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
  /** Closes the connection. It takes at most a second, also if PostgreSQL does not respond. */
  close(): Promise<void>;
}

/** A machine that is short of processor time needs seconds to accept the first connection. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Creating a database copies files. */
const STATEMENT_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Connects to the maintenance database. So this connection does not block a client that drops Heddle's database.
 * @param signal ends the attempt to connect
 * @throws what `pg` throws if it cannot connect in time; the reason of the signal
 */
export async function openWatch(connection: Connection, applicationName: string, signal?: AbortSignal): Promise<Watch> {
  signal?.throwIfAborted();
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
  const giveUp = (): void => destroy(client);
  signal?.addEventListener('abort', giveUp);
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => undefined);
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
  return { client, ended, close: () => close(client) };
}

/** A frozen PostgreSQL does not close its side of the connection, and `end` would wait for that for ever. */
async function close(client: pg.Client): Promise<void> {
  const deadline = setTimeout(() => destroy(client), CLOSE_TIMEOUT_MS);
  await client.end().catch(() => undefined);
  clearTimeout(deadline);
}

function destroy(client: pg.Client): void {
  client.connection.stream.destroy(); // wire name: a socket
}
