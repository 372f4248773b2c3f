/** Simulates days of passing time, so that tests need not wait. */

import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { endActivity } from '../../domain/channels/activity.ts';
import { deleteExpired } from '../../features/retention/expiring.ts';
import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';
import type { TestServer } from '../server/server.ts';

const DAY = 86_400_000;

/** Deletes expired messages, as if this many days had passed. */
export function expire({ app }: TestServer, { daysFromNow }: { readonly daysFromNow: number }): Promise<void> {
  const at = new Date(Date.now() + daysFromNow * DAY);
  return deleteExpired(app, { at, signal: new AbortController().signal });
}

/** Makes channels of all organizations inactive, as if this many days had passed. */
export function passSilently({ app }: TestServer, { days }: { readonly days: number }): Promise<void> {
  const at = sql<Date>`now() + make_interval(days => ${days})`;
  return endActivity(app, { at, signal: new AbortController().signal });
}

/** Makes messages this many days older, and makes all retention policies effective. */
export async function age({ app: { db } }: TestServer, ids: readonly number[], days: number): Promise<void> {
  await sql`
    UPDATE messages SET sent_at = sent_at - make_interval(days => ${days})
     WHERE id = ANY (${ids}::bigint[])`.execute(db);
  await letPoliciesStand(db);
}

/** Makes all retention policies old enough to be effective. */
export async function letPoliciesStand(db: Db): Promise<void> {
  await sql`UPDATE channels SET retention_changed_at = '-infinity'`.execute(db);
  await sql`UPDATE organizations SET retention_changed_at = '-infinity'`.execute(db);
}

/** Effects of time: messages expire, and channels become inactive. */
export type Expiry =
  /**
   * A channel or the organization keeps messages for a day until one of the run's newest and all as old have expired.
   * Then it keeps them forever.
   */
  | {
      readonly do: 'expire';
      readonly who: number;
      readonly channel: number | undefined;
      readonly message: number;
    }
  /** Half a year passes without a message. */
  | { readonly do: 'fall silent'; readonly who: number };

export function expiry(who: fc.Arbitrary<number>, channel: fc.Arbitrary<number>): fc.Arbitrary<Expiry> {
  return fc.oneof(
    fc.record({
      do: fc.constant('expire' as const),
      who,
      channel: fc.option(channel, { nil: undefined }),
      message: fc.nat({ max: 8 }),
    }),
    fc.record({ do: fc.constant('fall silent' as const), who }),
  );
}

/**
 * @param messageAt the run's messages, the newest first
 * @param name the prefix of the run's channel names
 */
export async function performExpiry(
  passing: Expiry,
  server: TestServer,
  client: TestClient,
  messageAt: (index: number) => number | undefined,
  name: string,
): Promise<void> {
  if (passing.do === 'fall silent') return passSilently(server, { days: 181 });
  const { channel, message } = passing;
  const { app } = server;
  const found =
    channel === undefined ? undefined : await client.call('GET', '/get_stream_id', { stream: `${name} ${channel}` });
  const path = found === undefined ? '/realm' : `/streams/${found.body.stream_id ?? 0}`;
  await client.call('PATCH', path, { message_retention_days: 1 });
  await letPoliciesStand(app.db);
  const { rows } = await sql<{ sent: Date }>`
    SELECT sent_at AS sent FROM messages WHERE id = ${messageAt(message) ?? 0}`.execute(app.db);
  const [oldest] = rows;
  if (oldest !== undefined) {
    const at = new Date(oldest.sent.getTime() + DAY + 1);
    await deleteExpired(app, { at, signal: new AbortController().signal });
  }
  await client.call('PATCH', path, { message_retention_days: 'unlimited' });
}
