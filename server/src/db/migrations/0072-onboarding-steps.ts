import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE onboarding_steps (
      organization_id integer NOT NULL,
      user_id         integer NOT NULL,
      shown           text[]  NOT NULL,
      PRIMARY KEY (organization_id, user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
