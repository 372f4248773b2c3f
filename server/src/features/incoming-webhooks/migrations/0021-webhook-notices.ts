import { type Kysely, sql } from 'kysely';

/** The kinds of events that an integration does not know, of which the owner of the bot was notified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE webhook_notices (
      organization_id integer     NOT NULL,
      bot_id          integer     NOT NULL,
      integration     text        NOT NULL,
      kind            text        NOT NULL,
      notified_at     timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, bot_id, integration, kind),
      FOREIGN KEY (organization_id, bot_id) REFERENCES users
    )`.execute(db);
}
