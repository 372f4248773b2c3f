import { type Kysely, sql } from 'kysely';

/** One table for the positions of all background readers of the log, instead of a table for each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The last event of each organization's log that a background reader has handled. An organization that needs no such reader
    -- has no row. consumer is the name that the server gives to the reader.
    CREATE TABLE log_cursors (
      organization_id integer NOT NULL REFERENCES organizations,
      consumer        text    NOT NULL,
      position        bigint  NOT NULL,
      PRIMARY KEY (organization_id, consumer)
    )`.execute(db);
  await sql`
    INSERT INTO log_cursors (organization_id, consumer, position)
    SELECT organization_id, 'mobile-push', read_through FROM push_cursors
    UNION ALL
    SELECT organization_id, 'outgoing-webhooks', read_through FROM outgoing_cursors`.execute(db);
  await sql`DROP TABLE push_cursors, outgoing_cursors`.execute(db);
}
