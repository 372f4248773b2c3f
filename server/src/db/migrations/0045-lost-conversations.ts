import { type Kysely, sql } from 'kysely';

/** A statement that sends a direct message calls this if its conversation is not the one of its participants. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION heddle_refuse_conversation() RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the conversation has other participants, or is lost' USING ERRCODE = 'HD002';
    END $$`.execute(db);
}
