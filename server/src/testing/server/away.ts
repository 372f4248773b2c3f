import { sql } from 'kysely';
import type { TestServer } from './server.ts';

/** As if the user's clients had asked for events two minutes ago for the last time. The server must not write a later time after that. */
export async function leaveClients({ app }: TestServer, userId: number): Promise<void> {
  await app.queues.flush();
  await sql`UPDATE queues SET last_fetched_at = now() - interval '2 minutes' WHERE user_id = ${userId}`.execute(app.db);
}
