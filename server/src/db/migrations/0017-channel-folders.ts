import { type Kysely, sql } from 'kysely';

/** Folders, which channels name (`channels.folder_id`). They are archived and never deleted, so no key holds the two together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE channel_folders (
      organization_id      integer     NOT NULL REFERENCES organizations,
      id                   bigint      GENERATED ALWAYS AS IDENTITY,
      name                 text        NOT NULL,
      description          text        NOT NULL,
      rendered_description text        NOT NULL,
      creator_id           integer,
      created_at           timestamptz NOT NULL DEFAULT now(),
      is_archived          boolean     NOT NULL DEFAULT false,
      position             integer     NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, creator_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX channel_folders_by_name ON channel_folders (organization_id, lower(name))`.execute(db);
}
