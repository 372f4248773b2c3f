import { type Kysely, sql } from 'kysely';

/**
 * Links that are sent to people by mail about their own account, and how many mails they get about logins. All links of an account end in
 * the transaction that gives it another password or address or closes it, whoever does that. A link that nobody's address was asked for
 * counts like any other, so that asking takes as long.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE account_links (
      organization_id integer     NOT NULL REFERENCES organizations,
      id              bigint      GENERATED ALWAYS AS IDENTITY,
      purpose         text        NOT NULL,
      user_id         integer,
      address         text        NOT NULL,
      nonce           bytea       NOT NULL,
      key_hash        bytea       NOT NULL,
      created_at      timestamptz NOT NULL DEFAULT now(),
      ended_at        timestamptz,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX account_links_by_key ON account_links (key_hash)`.execute(db);
  await sql`CREATE INDEX account_links_by_address ON account_links (organization_id, lower(address), created_at)`.execute(
    db,
  );
  await sql`CREATE INDEX account_links_by_user ON account_links (organization_id, user_id, created_at)`.execute(db);
  await sql`CREATE INDEX account_links_by_age ON account_links (created_at)`.execute(db);
  await sql`
    CREATE TABLE login_notices (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      id              bigint      GENERATED ALWAYS AS IDENTITY,
      noticed_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, user_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX login_notices_by_age ON login_notices (noticed_at)`.execute(db);
  await sql`
    CREATE FUNCTION heddle_end_account_links() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE account_links SET ended_at = now()
       WHERE organization_id = NEW.organization_id AND user_id = NEW.id AND ended_at IS NULL;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER end_account_links AFTER UPDATE OF password_hash, delivery_email, is_active ON users
      FOR EACH ROW
      WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash OR OLD.delivery_email <> NEW.delivery_email
            OR (OLD.is_active AND NOT NEW.is_active))
      EXECUTE FUNCTION heddle_end_account_links()`.execute(db);
}
