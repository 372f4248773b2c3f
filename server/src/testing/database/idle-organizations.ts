/** Organizations that nobody uses: copies of the rows of one that exists. */
import { sql } from 'kysely';
import type { Db, DbTransaction } from '../../db/schema.ts';

/**
 * Adds copies of an organization in which nothing has happened for a month. Their messages are indexed, and their events were all read and then
 * deleted. Rows keep all ids, because each key contains the organization (`db/distribution.test.ts`). Queues are left out: an idle
 * organization has none.
 */
export async function addIdleOrganizations(db: Db, model: number, count: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Foreign keys and triggers would check millions of rows that are copies of valid ones.
    await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
    const { rows: made } = await sql<{ id: number }>`
      INSERT INTO organizations (subdomain, name, settings)
      SELECT 'idle' || number, name, settings FROM organizations, generate_series(1, ${count}::integer) AS number
       WHERE id = ${model}
      RETURNING id`.execute(transaction);
    const ids = made.map(({ id }) => id);
    for (const { table, columns } of await tablesOfOrganizations(transaction)) {
      if (table === 'events' || table === 'queues') continue;
      const copied = sql.join(columns.map((name) => sql.ref(name)));
      await sql`
        INSERT INTO ${sql.table(table)} (organization_id, ${copied}) OVERRIDING SYSTEM VALUE
        SELECT idle, ${copied} FROM ${sql.table(table)}, unnest(${ids}::integer[]) AS idle
         WHERE organization_id = ${model}`.execute(transaction);
    }
    await sql`
      UPDATE indexed_messages SET through = message_head
        FROM logs WHERE logs.organization_id = indexed_messages.organization_id AND logs.organization_id = ANY (${ids}::integer[])`.execute(
      transaction,
    );
    for (const { table, column } of TIMES) {
      await sql`
        UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sql.ref(column)} - interval '1 month'
         WHERE organization_id = ANY (${ids}::integer[])`.execute(transaction);
    }
    await sql`UPDATE logs SET trimmed_through = head WHERE organization_id = ANY (${ids}::integer[])`.execute(
      transaction,
    );
    await sql`
      UPDATE log_cursors SET position = head
        FROM logs WHERE logs.organization_id = log_cursors.organization_id AND logs.organization_id = ANY (${ids}::integer[])`.execute(
      transaction,
    );
  });
}

/** The times of the last messages and channels. */
const TIMES = [
  { table: 'messages', column: 'sent_at' },
  { table: 'channels', column: 'created_at' },
] as const;

interface CopiedTable {
  readonly table: string;
  /** The columns that can be written, without the organization. */
  readonly columns: readonly string[];
}

/** The tables whose primary key begins with the organization. */
async function tablesOfOrganizations(db: DbTransaction): Promise<readonly CopiedTable[]> {
  const { rows } = await sql<CopiedTable>`
    SELECT relname AS table,
           ARRAY(SELECT attname::text FROM pg_attribute
                  WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                    AND attname <> 'organization_id') AS columns
      FROM pg_index
      JOIN pg_class ON pg_class.oid = indrelid
      JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
     WHERE indisprimary AND attname = 'organization_id' AND relname <> 'imports'
       AND relnamespace = current_schema()::regnamespace`.execute(db);
  return rows;
}
