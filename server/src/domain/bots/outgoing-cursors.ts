import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';

/** Starts reading the organization's log for messages to its outgoing webhook bots. Index: the primary key. */
export async function beginReading(db: DbTransaction, organizationId: number): Promise<void> {
  await sql`
    INSERT INTO outgoing_cursors (organization_id, read_through)
    SELECT organization_id, head FROM logs WHERE organization_id = ${organizationId}
    ON CONFLICT DO NOTHING`.execute(db);
}
