import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Whether anybody reacts to the message: pages of history look for reactions of those alone.
  await sql`ALTER TABLE messages ADD COLUMN has_reactions boolean NOT NULL DEFAULT false`.execute(db);
  await sql`
    CREATE INDEX messages_with_reactions ON messages (organization_id, id) WHERE has_reactions`.execute(db);

  // `by_outsider`: the user was not subscribed to the message's channel, so events to its subscribers would not reach them.
  await sql`
    CREATE TABLE reactions (
      organization_id integer NOT NULL,
      message_id      bigint  NOT NULL,
      emoji_kind      text    NOT NULL,
      emoji_code      text    NOT NULL,
      user_id         integer NOT NULL,
      emoji_name      text    NOT NULL,
      by_outsider     boolean NOT NULL,
      id              bigint  GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (organization_id, message_id, emoji_kind, emoji_code, user_id),
      FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE,
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`
    CREATE INDEX reactions_by_outsiders ON reactions (organization_id, message_id, user_id) WHERE by_outsider`.execute(
    db,
  );

  // `file` is a part of the pictures' address that cannot be guessed.
  await sql`
    CREATE TABLE custom_emoji (
      organization_id integer     NOT NULL REFERENCES organizations,
      id              bigint      GENERATED ALWAYS AS IDENTITY,
      name            text        NOT NULL,
      author_id       integer     NOT NULL,
      file            text        NOT NULL,
      extension       text        NOT NULL,
      is_animated     boolean     NOT NULL,
      is_deactivated  boolean     NOT NULL DEFAULT false,
      created_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, file),
      FOREIGN KEY (organization_id, author_id) REFERENCES users
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX custom_emoji_by_name ON custom_emoji (organization_id, name) WHERE NOT is_deactivated`.execute(
    db,
  );
  // `still` is null where the picture does not move.
  await sql`
    CREATE TABLE custom_emoji_pictures (
      organization_id integer NOT NULL,
      emoji_id        bigint  NOT NULL,
      picture         bytea   NOT NULL,
      still           bytea,
      PRIMARY KEY (organization_id, emoji_id),
      FOREIGN KEY (organization_id, emoji_id) REFERENCES custom_emoji
    )`.execute(db);
}
