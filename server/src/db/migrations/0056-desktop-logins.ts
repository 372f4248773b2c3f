import { type Kysely, sql } from 'kysely';

/**
 * Logins that a browser has done for a desktop app, which makes a session of one within minutes, once. They end with whatever changes the
 * account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE desktop_logins (
      organization_id integer     NOT NULL,
      token_hash      bytea       NOT NULL,
      user_id         integer     NOT NULL,
      created_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, token_hash),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX desktop_logins_by_user ON desktop_logins (organization_id, user_id)`.execute(db);
  await sql`CREATE INDEX desktop_logins_by_age ON desktop_logins (created_at)`.execute(db);
  await sql`
    CREATE FUNCTION heddle_end_desktop_logins() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM desktop_logins WHERE organization_id = NEW.organization_id AND user_id = NEW.id;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER end_desktop_logins AFTER UPDATE OF password_hash, delivery_email, is_active ON users
      FOR EACH ROW
      WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash OR OLD.delivery_email <> NEW.delivery_email
            OR (OLD.is_active AND NOT NEW.is_active))
      EXECUTE FUNCTION heddle_end_desktop_logins()`.execute(db);
}
