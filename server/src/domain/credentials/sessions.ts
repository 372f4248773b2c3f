/**
 * Sessions of browsers. Only the browser has the token. The database has its hash, so a copy of it opens no session.
 */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { ignoreRefusedWrite } from '../../db/failures.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { RequestCookies } from '../../http/requests/cookies.ts';

/** A session without a request for this long has ended. */
const MAX_IDLE_TIME = sql.lit('90 days');
/** The longest life of a session, even if it is in use. */
const MAX_SESSION_AGE = sql.lit('400 days');
/** `used_at` is updated when it is this old. */
const USE_RECORDED_EVERY = sql.lit('1 hour');
/** Per account. One more ends the session that is unused for longest. */
export const MAX_SESSIONS_PER_ACCOUNT = 50;

const TOKEN = /^[\w-]{43}$/;

export interface OpenSession {
  readonly isThis: boolean;
  readonly createdAt: Date;
  /** Up to an hour too old. */
  readonly usedAt: Date;
}

type SessionContext = Pick<AppContext, 'db'>;

/**
 * Begins a session with a new token, whatever token the browser had. This prevents session fixation.
 * @param verified the password hash that was checked; undefined if the login used no password of this server
 * @returns undefined if the account was closed, or its password changed since
 */
export async function beginSession(
  { db }: SessionContext,
  organizationId: number,
  { userId, passwordHash }: { readonly userId: number; readonly passwordHash: string | undefined },
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url');
  const isUnchanged = passwordHash === undefined ? sql`true` : sql`password_hash = ${passwordHash}`;
  // A concurrent change of the account waits for this lock and then ends this session too. An earlier change prevents
  // the insert.
  const { numAffectedRows } = await sql`
    INSERT INTO sessions (organization_id, token_hash, user_id)
    SELECT organization_id, ${hashOf(token)}, id
      FROM users
     WHERE organization_id = ${organizationId} AND id = ${userId} AND is_active AND ${isUnchanged}
       FOR SHARE`.execute(db);
  if (numAffectedRows !== 1n) return undefined;
  await sql`
    DELETE FROM sessions
     WHERE organization_id = ${organizationId} AND token_hash IN (
             SELECT token_hash FROM sessions
              WHERE organization_id = ${organizationId} AND user_id = ${userId} AND token_hash <> ${hashOf(token)}
              ORDER BY used_at DESC
             OFFSET ${MAX_SESSIONS_PER_ACCOUNT - 1})`.execute(db);
  return token;
}

/** The user of the session; undefined if no session has this token. Index: the primary key. */
export async function userOfSession(
  { db }: SessionContext,
  organizationId: number,
  token: string,
): Promise<number | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const { rows } = await sql<{ user_id: number; is_old: boolean }>`
    SELECT user_id, used_at < now() - ${USE_RECORDED_EVERY}::interval AS is_old
      FROM sessions
     WHERE organization_id = ${organizationId} AND token_hash = ${hashOf(token)}
       AND used_at > now() - ${MAX_IDLE_TIME}::interval AND created_at > now() - ${MAX_SESSION_AGE}::interval`.execute(
    db,
  );
  const [session] = rows;
  // A database that accepts no changes must not prevent reads.
  if (session?.is_old) await noteUse({ db }, organizationId, token).catch(ignoreRefusedWrite);
  return session?.user_id;
}

/** The user of the browser, for pages that everyone can open. */
export async function whoIsLoggedIn(
  app: SessionContext,
  { organization, cookies }: { readonly organization: Organization; readonly cookies: RequestCookies },
): Promise<UserRecord | undefined> {
  const { session } = cookies;
  const userId = session === undefined ? undefined : await userOfSession(app, organization.id, session);
  const user = userId === undefined ? undefined : organization.directory.user(userId);
  return user?.isActive ? user : undefined;
}

async function noteUse({ db }: SessionContext, organizationId: number, token: string): Promise<void> {
  await sql`
    UPDATE sessions SET used_at = now()
     WHERE organization_id = ${organizationId} AND token_hash = ${hashOf(token)}`.execute(db);
}

/** The account's sessions, the most recently used first. */
export async function sessionsOf(
  { db }: SessionContext,
  organizationId: number,
  { userId, token }: { readonly userId: number; readonly token: string },
): Promise<readonly OpenSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['token_hash', 'created_at', 'used_at'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('used_at', 'desc')
    .limit(MAX_SESSIONS_PER_ACCOUNT)
    .execute();
  const own = hashOf(token);
  return rows.map((row) => ({
    isThis: own.equals(row.token_hash),
    createdAt: row.created_at,
    usedAt: row.used_at,
  }));
}

export async function endSession({ db }: SessionContext, organizationId: number, token: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', hashOf(token))
    .execute();
}

/** Ends all sessions of the account. */
export async function endSessionsOf({ db }: SessionContext, organizationId: number, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute();
}

/** Deletes a batch of expired sessions. Index: sessions_by_use. */
export async function collectSessions({ db }: SessionContext): Promise<void> {
  await sql`
    DELETE FROM sessions
     WHERE (organization_id, token_hash) IN (
             SELECT organization_id, token_hash FROM sessions
              WHERE used_at < now() - ${MAX_IDLE_TIME}::interval
              LIMIT 10000)`.execute(db);
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
