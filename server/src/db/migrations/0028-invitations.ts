import { type Kysely, sql } from 'kysely';

/** Links that bring somebody in. What is in a link follows from the nonce and the server's secret; the hash finds it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE invitations (
      organization_id   integer     NOT NULL,
      id                bigint      GENERATED ALWAYS AS IDENTITY,
      inviter_id        integer     NOT NULL,
      email             text,
      role              smallint    NOT NULL,
      channel_ids       integer[]   NOT NULL,
      group_ids         integer[]   NOT NULL,
      with_defaults     boolean     NOT NULL,
      tells_inviter     boolean     NOT NULL,
      welcome_text      text,
      nonce             bytea       NOT NULL,
      key_hash          bytea       NOT NULL,
      created_at        timestamptz NOT NULL DEFAULT now(),
      expires_at        timestamptz,
      mailed_at         timestamptz[] NOT NULL DEFAULT '{}',
      ended_at          timestamptz,
      ending            text,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, inviter_id) REFERENCES users,
      CHECK ((ended_at IS NULL) = (ending IS NULL))
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX invitations_by_key ON invitations (key_hash)`.execute(db);
}
