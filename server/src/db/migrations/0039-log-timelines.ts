import { type Kysely, sql } from 'kysely';

/**
 * The timeline of PostgreSQL on which the epoch of a log is confirmed (`log/epoch.ts`). The identity of the database no
 * longer contains the timeline. The previous version still reads the earlier fact.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A role may lack the right, and some services of PostgreSQL lack the functions.
  await sql`
    CREATE FUNCTION heddle_timeline() RETURNS text LANGUAGE plpgsql AS $$
    BEGIN
      IF pg_is_in_recovery() THEN RETURN NULL; END IF;
      RETURN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
    EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN RETURN NULL;
    END $$`.execute(db);
  await sql`ALTER TABLE logs ADD COLUMN timeline text DEFAULT heddle_timeline()`.execute(db);
  await sql`
    INSERT INTO server_facts (key, value)
    SELECT 'cluster_identity', regexp_replace(value, '^([0-9]+)/[0-9]+/', '\\1/')
      FROM server_facts WHERE key = 'database_identity'
    ON CONFLICT DO NOTHING`.execute(db);
}
