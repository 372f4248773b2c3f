import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Json } from '../clients/json.ts';
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

/** Of `requestedSoon`. */
const MAX_SECONDS_AHEAD = 1024;

/**
 * Requests a delivery very soon, and returns its time. On a slow machine, a time within seconds can be over before the server checks it. The
 * server then refuses it, and this requests a later one.
 * @param request returns the body of the response
 */
export async function requestedSoon(request: (at: number) => Promise<Json>): Promise<number> {
  for (let seconds = 1; seconds <= MAX_SECONDS_AHEAD; seconds *= 2) {
    const at = inSeconds(seconds);
    const { result, msg } = await request(at);
    if (result === 'success') return at;
    assert.equal(msg, 'Scheduled delivery time must be in the future.');
  }
  throw new Error(`the server takes more than ${MAX_SECONDS_AHEAD} s for a request`);
}

/** Makes the mails about missed messages due, as if the batching period had passed, and queues them. */
export async function queueMissedMails({ app }: TestServer): Promise<void> {
  await app.consumers.settled();
  await sql`UPDATE missed_batches SET due_at = now()`.execute(app.db);
  await app.scheduler.settled();
}
