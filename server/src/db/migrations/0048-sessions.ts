import { type Kysely, sql } from 'kysely';

/**
 * Sessions of browsers. They end in the transaction that gives their account another password or closes it, whoever does that: a session
 * that began with an old password would outlive it otherwise.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE sessions (
      organization_id integer     NOT NULL,
      token_hash      bytea       NOT NULL,
      user_id         integer     NOT NULL,
      created_at      timestamptz NOT NULL DEFAULT now(),
      used_at         timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, token_hash),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX sessions_by_user ON sessions (organization_id, user_id, created_at)`.execute(db);
  await sql`CREATE INDEX sessions_by_use ON sessions (used_at)`.execute(db);
  await sql`
    CREATE FUNCTION heddle_end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM sessions WHERE organization_id = NEW.organization_id AND user_id = NEW.id;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER end_sessions AFTER UPDATE OF password_hash, is_active ON users
      FOR EACH ROW
      WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash OR (OLD.is_active AND NOT NEW.is_active))
      EXECUTE FUNCTION heddle_end_sessions()`.execute(db);
}
