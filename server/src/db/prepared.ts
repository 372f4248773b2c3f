import type { CompiledQuery, RawBuilder } from 'kysely';
import type { Db, DbTransaction } from './schema.ts';

/** A statement that a connection parses and plans once. */
export interface PreparedQuery<Row> extends CompiledQuery<Row> {
  readonly preparedAs: string;
}

/**
 * Executes a hot statement by name: within a transaction of ours each connection prepares it once (elsewhere it is planned as usual).
 * @param name stands for one text, and for no other
 */
export async function executePrepared<Row>(
  db: Db | DbTransaction,
  name: string,
  statement: RawBuilder<Row>,
): Promise<readonly Row[]> {
  const query: PreparedQuery<Row> = { ...statement.compile(db), preparedAs: name };
  return (await db.executeQuery<Row>(query)).rows;
}

export function nameOf(query: CompiledQuery): string | undefined {
  return 'preparedAs' in query ? (query as PreparedQuery<unknown>).preparedAs : undefined;
}
