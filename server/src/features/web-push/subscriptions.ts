/** The browsers of a user that receive Web Push. Each subscription belongs to a session, and the database deletes it with that. */
import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { lockUsers } from '../../db/user-locks.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { isAlive, sessionHash } from '../../domain/credentials/sessions.ts';
import { PUSH_READER } from '../../domain/notifications/push-notifications/reading.ts';
import { addCursor } from '../../log/consumer.ts';
import type { BrowserKeys } from './encrypting.ts';

/** One more ends the subscription whose session is unused for longest. */
export const MAX_BROWSERS_PER_USER = 10;

export interface NewSubscription {
  readonly endpoint: URL;
  readonly keys: BrowserKeys;
  readonly showsText: boolean;
  /** The token of the session. */
  readonly session: string;
}

export interface Browser {
  readonly id: number;
  readonly isThis: boolean;
  readonly browser: string | null;
  readonly system: string | null;
  readonly showsText: boolean;
  readonly registeredAt: Date;
  /** Up to an hour too old. */
  readonly usedAt: Date;
  readonly notifiedAt: Date | null;
}

/**
 * Stores the subscription of the session and returns its id. It replaces an earlier one of the session, and one that the same browser had
 * for another session or account.
 * @throws ApiError `BAD_REQUEST`: the session has just ended
 */
export async function subscribe(
  { db, directory }: OptimisticChange,
  caller: UserRecord,
  { endpoint, keys, showsText, session }: NewSubscription,
): Promise<number> {
  const { id: organizationId } = directory.organization;
  const hash = sessionHash(session);
  await lockUsers(db, organizationId, [caller.id]);
  // Only the browser knows the secret of its subscription. Notifications of an earlier endpoint mean nothing at the new one.
  const isSame = sql`endpoint = ${endpoint.href} AND auth_secret = ${keys.authSecret} AND public_key = ${keys.publicKey}`;
  await sql`
    DELETE FROM web_push_subscriptions
     WHERE organization_id = ${organizationId}
       AND ((auth_secret = ${keys.authSecret} AND session_hash <> ${hash} AND ${isSame})
            OR (session_hash = ${hash} AND NOT (${isSame})))`.execute(db);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO web_push_subscriptions (organization_id, user_id, session_hash, endpoint, host, public_key, auth_secret, shows_text)
    SELECT ${organizationId}, user_id, token_hash, ${endpoint.href}::text, ${endpoint.host}::text, ${keys.publicKey}::bytea,
           ${keys.authSecret}::bytea, ${showsText}::boolean
      FROM sessions
     WHERE organization_id = ${organizationId} AND token_hash = ${hash} AND user_id = ${caller.id}
       FOR KEY SHARE
    ON CONFLICT (organization_id, session_hash) DO UPDATE SET shows_text = excluded.shows_text
    RETURNING id`.execute(db);
  const [added] = rows;
  if (added === undefined) throw badRequest('The session has ended.');
  await sql`
    UPDATE sessions SET web_push_removed = false
     WHERE organization_id = ${organizationId} AND token_hash = ${hash} AND web_push_removed`.execute(db);
  await sql`
    DELETE FROM web_push_subscriptions
     WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
             SELECT s.ctid
               FROM web_push_subscriptions s
               JOIN sessions ON sessions.organization_id = s.organization_id AND sessions.token_hash = s.session_hash
              WHERE s.organization_id = ${organizationId} AND s.user_id = ${caller.id} AND s.id <> ${added.id}
              ORDER BY sessions.used_at DESC, s.id DESC
             OFFSET ${MAX_BROWSERS_PER_USER - 1}))`.execute(db);
  await addCursor(db, organizationId, PUSH_READER);
  return added.id;
}

/** The browsers of the user, the most recently used first. */
export async function browsersOf(
  db: Db,
  organizationId: number,
  { userId, session }: { readonly userId: number; readonly session: string | undefined },
): Promise<readonly Browser[]> {
  const rows = await db
    .selectFrom('web_push_subscriptions as s')
    .innerJoin('sessions', (join) =>
      join
        .onRef('sessions.organization_id', '=', 's.organization_id')
        .onRef('sessions.token_hash', '=', 's.session_hash'),
    )
    .select(['s.id', 's.session_hash', 's.shows_text', 's.registered_at', 's.notified_at'])
    .select(['sessions.browser', 'sessions.system', 'sessions.used_at'])
    .where('s.organization_id', '=', organizationId)
    .where('s.user_id', '=', userId)
    .where(isAlive)
    .orderBy('sessions.used_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute();
  const own = session === undefined ? undefined : sessionHash(session);
  return rows.map((row) => ({
    id: row.id,
    isThis: own?.equals(row.session_hash) ?? false,
    browser: row.browser,
    system: row.system,
    showsText: row.shows_text,
    registeredAt: row.registered_at,
    usedAt: row.used_at,
    notifiedAt: row.notified_at,
  }));
}

/** Ends the subscription of the session, if it has one. */
export async function unsubscribeSession({ db, directory }: OptimisticChange, session: string): Promise<void> {
  await db
    .deleteFrom('web_push_subscriptions')
    .where('organization_id', '=', directory.organization.id)
    .where('session_hash', '=', sessionHash(session))
    .execute();
}

/**
 * Ends a subscription of the caller, and notes for its browser that it is to stay off.
 * @returns whether there was one
 */
export async function unsubscribe(
  { db, directory }: OptimisticChange,
  caller: UserRecord,
  id: number,
): Promise<boolean> {
  const { id: organizationId } = directory.organization;
  const { rows } = await sql`
    WITH removed AS (
      DELETE FROM web_push_subscriptions
       WHERE organization_id = ${organizationId} AND user_id = ${caller.id} AND id = ${id} RETURNING session_hash
    )
    UPDATE sessions SET web_push_removed = true
      FROM removed WHERE sessions.organization_id = ${organizationId} AND sessions.token_hash = removed.session_hash
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Whether the user has removed the browser of this session, which has not subscribed since. Index: the primary key. */
export async function isRemoved(db: Db, organizationId: number, session: string | undefined): Promise<boolean> {
  if (session === undefined) return false;
  const row = await db
    .selectFrom('sessions')
    .select('web_push_removed')
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', sessionHash(session))
    .executeTakeFirst();
  return row?.web_push_removed ?? false;
}
