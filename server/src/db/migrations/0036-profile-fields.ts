import { type Kysely, sql } from 'kysely';

/** A field that was deleted stays until its values are gone, a part at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE profile_fields (
      organization_id     integer     NOT NULL REFERENCES organizations,
      id                  bigint      GENERATED ALWAYS AS IDENTITY,
      name                text        NOT NULL,
      type                smallint    NOT NULL,
      hint                text        NOT NULL,
      data                text        NOT NULL,
      position            bigint      NOT NULL,
      is_required         boolean     NOT NULL,
      is_editable_by_user boolean     NOT NULL,
      is_in_summary       boolean     NOT NULL,
      deleted_at          timestamptz,
      PRIMARY KEY (organization_id, id)
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX profile_fields_by_name ON profile_fields (organization_id, name) WHERE deleted_at IS NULL`.execute(
    db,
  );
  await sql`
    CREATE TABLE profile_values (
      organization_id integer NOT NULL,
      field_id        bigint  NOT NULL,
      user_id         integer NOT NULL,
      value           text    NOT NULL,
      html            text,
      PRIMARY KEY (organization_id, field_id, user_id),
      FOREIGN KEY (organization_id, field_id) REFERENCES profile_fields,
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
