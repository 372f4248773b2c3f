import { sql } from 'kysely';
import type { TestServer } from './server.ts';

/** Makes all scheduled messages due, as if this much time had passed, and waits for their delivery. */
export async function deliverAll({ app }: TestServer, lateBySeconds = 0): Promise<void> {
  for (const table of ['scheduled_messages', 'reminders']) {
    await sql`
      UPDATE ${sql.table(table)} SET deliver_at = now() - make_interval(secs => ${lateBySeconds})
       WHERE NOT failed`.execute(app.db);
  }
  await app.scheduler.settled();
}

/** A time this many seconds ahead, in seconds since the epoch. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

/** Makes the mails about missed messages due, as if the batching period had passed, and queues them. */
export async function queueMissedMails({ app }: TestServer): Promise<void> {
  await app.consumers.settled();
  await sql`UPDATE missed_batches SET due_at = now()`.execute(app.db);
  await app.scheduler.settled();
}
