import { type Kysely, sql } from 'kysely';

/**
 * Links that show, sent to an address by mail, that it is the person's who wants to join with it. One that counts for nothing, because the
 * address has an account, is kept like any other, so that asking takes as long.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE address_confirmations (
      organization_id integer     NOT NULL REFERENCES organizations,
      id              bigint      GENERATED ALWAYS AS IDENTITY,
      address         text        NOT NULL,
      invitation_id   bigint,
      nonce           bytea       NOT NULL,
      key_hash        bytea       NOT NULL,
      created_at      timestamptz NOT NULL DEFAULT now(),
      ended_at        timestamptz,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, invitation_id) REFERENCES invitations ON DELETE CASCADE
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX address_confirmations_by_key ON address_confirmations (key_hash)`.execute(db);
  await sql`
    CREATE INDEX address_confirmations_by_address
        ON address_confirmations (organization_id, lower(address), created_at)`.execute(db);
  await sql`
    CREATE INDEX address_confirmations_by_invitation
        ON address_confirmations (organization_id, invitation_id, created_at)`.execute(db);
  await sql`CREATE INDEX address_confirmations_by_age ON address_confirmations (created_at)`.execute(db);
}
