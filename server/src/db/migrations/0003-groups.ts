import { type Kysely, sql } from 'kysely';

/** Direct members of the groups that people make; those of system groups follow from roles. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE user_group_members (
      organization_id integer NOT NULL,
      group_id        integer NOT NULL,
      user_id         integer NOT NULL,
      PRIMARY KEY (organization_id, group_id, user_id),
      FOREIGN KEY (organization_id, group_id) REFERENCES user_groups,
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX user_group_members_by_user ON user_group_members (organization_id, user_id)`.execute(db);

  // Whoever loads a directory reads from them what decided about access before.
  await sql`
    CREATE INDEX events_with_facts ON events (organization_id, id) WHERE facts IS NOT NULL`.execute(db);
}
