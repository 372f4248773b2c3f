import { type Kysely, sql } from 'kysely';

/**
 * The address first: while a table has no statistics, every index that begins with the organization looks as good as the primary key to
 * the planner, and checks of foreign keys walked all users of the organization for each row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP INDEX users_by_email, users_by_delivery_email`.execute(db);
  await sql`CREATE UNIQUE INDEX users_by_email ON users (lower(email), organization_id)`.execute(db);
  await sql`CREATE UNIQUE INDEX users_by_delivery_email ON users (lower(delivery_email), organization_id)`.execute(db);
}
