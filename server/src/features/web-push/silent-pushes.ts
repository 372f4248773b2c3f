/**
 * Pushes that only remove a notification. Browsers tolerate few: Safari ends a subscription after three. Firefox has a quota of 16 that shrinks
 * with the days since the last visit, and ends the subscription with the last one. Chrome then shows a notification of its own.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Since the last use of the browser. Firefox allows five after a visit that is almost two days ago. */
const MAX_SILENT_PUSHES = 5;

/** How many silent pushes the subscription `s` has had since the last use of its session in `sessions`. */
export const SILENT_PUSHES: RawBuilder<number> = sql`
  CASE WHEN sessions.used_at > s.silent_at THEN 0 ELSE s.silent_pushes END`;

/** @param silentPushes since the last use of the browser */
export function silentPushesLeft(host: string, silentPushes: number): number {
  if (/(^|\.)push\.apple\.com(:|$)/.test(host)) return 0;
  return Math.max(0, MAX_SILENT_PUSHES - silentPushes);
}

/**
 * Counts silent pushes that the push service has accepted. Index: the primary keys.
 * @param silent a row for each push
 */
export async function noteSilent(
  db: Db,
  organizationId: number,
  silent: readonly { readonly userId: number; readonly subscriptionId: number }[],
): Promise<void> {
  if (silent.length === 0) return;
  await sql`
    UPDATE web_push_subscriptions s
       SET silent_pushes = ${SILENT_PUSHES} + one.pushes, silent_at = now()
      FROM (SELECT user_id, id, count(*)::integer AS pushes
              FROM unnest(${silent.map(({ userId }) => userId)}::integer[],
                          ${silent.map(({ subscriptionId }) => subscriptionId)}::bigint[]) AS push (user_id, id)
             GROUP BY user_id, id) AS one, sessions
     WHERE s.organization_id = ${organizationId} AND s.user_id = one.user_id AND s.id = one.id
       AND sessions.organization_id = s.organization_id AND sessions.token_hash = s.session_hash`.execute(db);
}
