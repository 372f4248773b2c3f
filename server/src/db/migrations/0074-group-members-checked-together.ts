import { type Kysely, sql } from 'kysely';

/**
 * As for subscriptions (migration 0061): people join groups by the hundred in one statement, with the log held, and foreign keys are checked
 * row by row, which takes longer than the rows themselves and writes a lock into each user's. What they check is checked for all rows
 * of a statement together. Users and groups are never deleted, nor numbered anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Each row is looked up by itself, whatever the plan was made for: hence `OFFSET 0`.
  await sql`
    CREATE FUNCTION heddle_check_group_members() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM joined
                  WHERE NOT EXISTS (SELECT FROM users
                                     WHERE organization_id = joined.organization_id AND id = joined.user_id OFFSET 0))
         OR EXISTS (SELECT FROM (SELECT DISTINCT organization_id, group_id FROM joined) AS into_group
                     WHERE NOT EXISTS (SELECT FROM user_groups
                                        WHERE organization_id = into_group.organization_id
                                          AND id = into_group.group_id OFFSET 0)) THEN
        RAISE foreign_key_violation USING MESSAGE = 'a membership names a user or a group that there is not';
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER check_group_members AFTER INSERT ON user_group_members
      REFERENCING NEW TABLE AS joined FOR EACH STATEMENT EXECUTE FUNCTION heddle_check_group_members()`.execute(db);
  await sql`
    ALTER TABLE user_group_members
      DROP CONSTRAINT user_group_members_organization_id_user_id_fkey,
      DROP CONSTRAINT user_group_members_organization_id_group_id_fkey`.execute(db);
}
