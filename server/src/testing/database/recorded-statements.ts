/** The statements that the connections of a pool send to PostgreSQL. */
import type pg from 'pg';

export interface RecordedStatement {
  readonly text: string;
  /** The parameters of its first executions. */
  readonly executions: readonly (readonly unknown[])[];
}

const MAX_KEPT_EXECUTIONS = 500;

/** Records what the pool sends from now on. Returns each text once, in the order of the first executions. */
export function recordStatements(pool: pg.Pool): () => readonly RecordedStatement[] {
  const executionsOf = new Map<string, (readonly unknown[])[]>();
  const listening = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (listening.has(client)) return;
    listening.add(client);
    const { query } = client;
    client.query = function record(this: pg.PoolClient, ...given: readonly unknown[]) {
      const [statement, values] = given as [string | pg.QueryConfig, unknown];
      const { text, values: own } = typeof statement === 'string' ? { text: statement, values: [] } : statement;
      const executions = executionsOf.get(text) ?? [];
      executionsOf.set(text, executions);
      if (executions.length < MAX_KEPT_EXECUTIONS) executions.push(Array.isArray(values) ? values : (own ?? []));
      return Reflect.apply(query, this, given);
    } as typeof query;
  });
  return () => [...executionsOf].map(([text, executions]) => ({ text, executions }));
}
