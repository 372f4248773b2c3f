import { type Kysely, sql } from 'kysely';

/** A user has a bounded number of either. The index of what is to be told to the push service holds nothing else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE push_devices (
      organization_id   integer     NOT NULL,
      user_id           integer     NOT NULL,
      id                bigint      GENERATED ALWAYS AS IDENTITY,
      kind              text        NOT NULL,
      push_account_id   bigint,
      push_key          bytea,
      service_device_id bigint,
      token             text,
      token_key         text,
      ios_app_id        text,
      state             text        NOT NULL,
      error_code        text,
      registration      jsonb,
      registered_at     timestamptz NOT NULL DEFAULT now(),
      attempts          integer     NOT NULL DEFAULT 0,
      due_at            timestamptz,
      PRIMARY KEY (organization_id, user_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users,
      UNIQUE (organization_id, user_id, push_account_id),
      UNIQUE (organization_id, user_id, token_key),
      CHECK ((push_account_id IS NULL) <> (token IS NULL))
    )`.execute(db);
  await sql`CREATE INDEX push_devices_due ON push_devices (due_at) WHERE due_at IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE client_devices (
      organization_id integer NOT NULL,
      user_id         integer NOT NULL,
      id              bigint  GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (organization_id, user_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
