import { type Kysely, sql } from 'kysely';

/** What is attached to messages. Pages of history look for it at those messages alone that say that they have some. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE messages ADD COLUMN has_submessages boolean NOT NULL DEFAULT false`.execute(db);
  await sql`
    CREATE TABLE submessages (
      organization_id integer NOT NULL,
      message_id      bigint  NOT NULL,
      place           integer NOT NULL,
      sender_id       integer NOT NULL,
      kind            text    NOT NULL,
      content         text    NOT NULL,
      PRIMARY KEY (organization_id, message_id, place),
      FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE,
      FOREIGN KEY (organization_id, sender_id) REFERENCES users
    )`.execute(db);
}
