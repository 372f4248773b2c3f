import type pg from 'pg';

/** Each round opens one more connection. The second suffices if nobody else uses the pooler. */
const MAX_POOLER_CHECK_ROUNDS = 5;

/**
 * Whether each connection through a pooler keeps its backend, the process of PostgreSQL. Settings, prepared statements and notifications of
 * a connection need that. In PgBouncer's transaction mode, a connection has a backend only during a transaction.
 *
 * A connection outside of a transaction is the first. Others begin transactions, and so keep their backends. A pooler that returns
 * backends gives that of the first connection to one of the others, or another one to the first connection.
 */
export async function keepsBackend(connect: () => Promise<pg.Client>): Promise<boolean> {
  const clients: pg.Client[] = [];
  const open = async () => {
    const client = await connect();
    clients.push(client);
    return client;
  };
  try {
    const first = await open();
    const own = await askBackend(first);
    for (let round = 0; round < MAX_POOLER_CHECK_ROUNDS; round += 1) {
      const other = await open();
      await other.query('BEGIN');
      if ((await askBackend(other)) === own || (await askBackend(first)) !== own) return false;
    }
    return true;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function askBackend(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ backend: number }>('SELECT pg_backend_pid() AS backend');
  return rows[0]?.backend;
}
