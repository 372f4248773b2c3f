import { type Kysely, sql } from 'kysely';

/**
 * The epoch of a log is another one once ids have gone back (a backup was restored): queues of an earlier epoch are no more. The function
 * is how a statement that appends to a log refuses: loudly, so that the transaction around it cannot commit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE logs ADD COLUMN epoch uuid NOT NULL DEFAULT gen_random_uuid()`.execute(db);
  await sql`ALTER TABLE queues ADD COLUMN epoch uuid`.execute(db);
  await sql`
    UPDATE queues SET epoch = logs.epoch FROM logs WHERE logs.organization_id = queues.organization_id`.execute(db);
  await sql`
    CREATE FUNCTION heddle_refuse_append() RETURNS bigint LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the log is not where the change expects it' USING ERRCODE = 'HD001';
    END $$`.execute(db);
}
