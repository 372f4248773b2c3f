/**
 * Sessions of browsers. Only the browser has the token. The database has its hash, so a copy of it opens no session.
 *
 * A transaction that ends sessions appends `sessionsEnded`, so that no process holds a poll of theirs any longer. A session that expires
 * ends no poll: a poll counts as use, and the next one after the longest life of a session is refused.
 */
import { hash, randomBytes } from 'node:crypto';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { ignoreRefusedWrite } from '../../db/failures.ts';
import { sessionsEnded } from '../../directory/ended-access.ts';
import type { OptimisticChange, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { RequestCookies } from '../../http/requests/cookies.ts';
import type { RequestOrigin } from '../../http/requests/route.ts';
import { type Device, rememberedOrigin } from './device.ts';

/** A session without a request for this long has ended. */
const MAX_IDLE_TIME = sql.lit('90 days');
/** The longest life of a session, even if it is in use. */
const MAX_SESSION_AGE = sql.lit('400 days');
/** Whether a row of `sessions` has not ended by itself. */
export const isAlive = sql<boolean>`
  used_at > now() - ${MAX_IDLE_TIME}::interval AND created_at > now() - ${MAX_SESSION_AGE}::interval`;
/** `used_at` is updated when it is this old. */
const USE_RECORDED_EVERY = sql.lit('1 hour');
/** Per account. One more ends the session that is unused for longest. */
export const MAX_SESSIONS_PER_ACCOUNT = 50;

const TOKEN = /^[\w-]{43}$/;

export interface OpenSession {
  /** As `sessionName` names it. */
  readonly name: string;
  readonly isThis: boolean;
  readonly device: Device;
  /** Null: unknown. */
  readonly network: string | null;
  readonly createdAt: Date;
  /** Up to an hour too old. */
  readonly usedAt: Date;
}

type SessionContext = Pick<AppContext, 'db'>;

/**
 * Begins a session with a new token, whatever token the browser had. This prevents session fixation.
 *
 * `passwordHash` is the hash that the password was compared with; undefined if the login used no password of this server. `origin` is where the
 * request comes from.
 * @returns undefined if the account was closed, or its password changed since
 */
export async function beginSession(
  { db }: SessionContext,
  organization: Organization,
  {
    userId,
    passwordHash,
    origin,
  }: { readonly userId: number; readonly passwordHash: string | undefined; readonly origin: RequestOrigin },
): Promise<string | undefined> {
  const organizationId = organization.id;
  const token = randomBytes(32).toString('base64url');
  const { browser, system, network } = rememberedOrigin(origin);
  const isUnchanged = passwordHash === undefined ? sql`true` : sql`password_hash = ${passwordHash}`;
  // A concurrent change of the account waits for this lock and then ends this session too. An earlier change prevents
  // the insert.
  const { numAffectedRows } = await sql`
    INSERT INTO sessions (organization_id, token_hash, user_id, browser, system, network)
    SELECT organization_id, ${sessionHash(token)}, id, ${browser}::text, ${system}::text, ${network}::text
      FROM users
     WHERE organization_id = ${organizationId} AND id = ${userId} AND is_active AND ${isUnchanged}
       FOR SHARE`.execute(db);
  if (numAffectedRows !== 1n) return undefined;
  await organization.transact('server', 'optimistic', async (change) => {
    const { rows } = await sql<{ token_hash: Buffer }>`
      DELETE FROM sessions
       WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
               SELECT ctid FROM sessions
                WHERE organization_id = ${organizationId} AND user_id = ${userId} AND token_hash <> ${sessionHash(token)}
                ORDER BY used_at DESC
               OFFSET ${MAX_SESSIONS_PER_ACCOUNT - 1}))
      RETURNING token_hash`.execute(change.db);
    const sessions = rows.map((row) => nameOf(row.token_hash));
    if (sessions.length > 0) change.append(sessionsEnded({ userId, sessions }));
  });
  return token;
}

/**
 * The user of the session; undefined if no session has this token. Index: the primary key.
 * @param origin where its request comes from; stored with the time of the use
 * @throws ApiError `SERVICE_UNAVAILABLE`: an import has just replaced the organization, and the other one has the session
 */
export async function userOfSession(
  { db, organizations }: Pick<AppContext, 'db' | 'organizations'>,
  organizationId: number,
  token: string,
  origin: RequestOrigin,
): Promise<number | undefined> {
  if (!TOKEN.test(token)) return undefined;
  let session = await aliveSession({ db }, organizationId, token);
  if (session === undefined) {
    // The app of a browser without a session deletes what it has stored.
    await organizations.confirmPrimary();
    session = await aliveSession({ db }, organizationId, token);
  }
  if (session === undefined && !(await organizations.isStillThere(organizationId)))
    throw serviceUnavailable('The organization was replaced; please try again');
  // A database that accepts no changes must not prevent reads.
  if (session?.is_old) await noteUse({ db }, organizationId, { token, origin }).catch(ignoreRefusedWrite);
  return session?.user_id;
}

async function aliveSession(
  { db }: SessionContext,
  organizationId: number,
  token: string,
): Promise<{ readonly user_id: number; readonly is_old: boolean } | undefined> {
  const { rows } = await sql<{ user_id: number; is_old: boolean }>`
    SELECT user_id, used_at < now() - ${USE_RECORDED_EVERY}::interval AS is_old
      FROM sessions
     WHERE organization_id = ${organizationId} AND token_hash = ${sessionHash(token)}
       AND ${isAlive}`.execute(db);
  return rows[0];
}

/** The user of the browser, for pages that everyone can open. */
export async function whoIsLoggedIn(
  app: Pick<AppContext, 'db' | 'organizations'>,
  request: RequestOrigin & { readonly organization: Organization; readonly cookies: RequestCookies },
): Promise<UserRecord | undefined> {
  const { organization, cookies } = request;
  const { session } = cookies;
  const userId = session === undefined ? undefined : await userOfSession(app, organization.id, session, request);
  const user = userId === undefined ? undefined : organization.directory.user(userId);
  return user?.isActive ? user : undefined;
}

async function noteUse(
  { db }: SessionContext,
  organizationId: number,
  { token, origin }: { readonly token: string; readonly origin: RequestOrigin },
): Promise<void> {
  const { browser, system, network } = rememberedOrigin(origin);
  await sql`
    UPDATE sessions
       SET used_at = now(), browser = ${browser}, system = ${system}, network = ${network}
     WHERE organization_id = ${organizationId} AND token_hash = ${sessionHash(token)}`.execute(db);
}

/** The account's sessions, the most recently used first. */
export async function sessionsOf(
  { db }: SessionContext,
  organizationId: number,
  { userId, token }: { readonly userId: number; readonly token: string | undefined },
): Promise<readonly OpenSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['token_hash', 'created_at', 'used_at', 'browser', 'system', 'network'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where(isAlive)
    .orderBy('used_at', 'desc')
    .orderBy('token_hash')
    .limit(MAX_SESSIONS_PER_ACCOUNT)
    .execute();
  const own = token === undefined ? undefined : sessionHash(token);
  return rows.map(({ browser, system, network, ...row }) => ({
    name: nameOf(row.token_hash),
    isThis: own?.equals(row.token_hash) ?? false,
    device: { browser, system },
    network,
    createdAt: row.created_at,
    usedAt: row.used_at,
  }));
}

/**
 * Ends the session.
 * @param why `replaced`: its browser gets another session with the same response
 */
export async function endSession(
  organization: Organization,
  token: string,
  why: 'logged out' | 'replaced',
): Promise<void> {
  await organization.transact('server', 'optimistic', async ({ db, append }) => {
    const [ended] = await db
      .deleteFrom('sessions')
      .where('organization_id', '=', organization.id)
      .where('token_hash', '=', sessionHash(token))
      .returning('user_id')
      .execute();
    if (ended === undefined) return;
    const name = sessionName(token);
    const replaced = why === 'replaced' ? { replaced: name } : {};
    append(sessionsEnded({ userId: ended.user_id, sessions: [name], ...replaced }));
  });
}

/**
 * Ends the account's session with this name.
 * @returns whether there was one
 */
export function endSessionCalled(organization: Organization, userId: number, name: string): Promise<boolean> {
  return endSessionsWhere(
    organization,
    userId,
    sql<boolean>`substring(token_hash FOR ${NAME_LENGTH}) = ${Buffer.from(name, 'base64url')}`,
  );
}

/** Ends the account's sessions, except the one with the token. */
export async function endOtherSessionsOf(
  organization: Organization,
  userId: number,
  token: string | undefined,
): Promise<void> {
  await endSessionsWhere(
    organization,
    userId,
    token === undefined ? sql<boolean>`true` : sql<boolean>`token_hash <> ${sessionHash(token)}`,
  );
}

function endSessionsWhere(
  organization: Organization,
  userId: number,
  condition: RawBuilder<boolean>,
): Promise<boolean> {
  return organization.transact('server', 'optimistic', async ({ db, append }) => {
    const ended = await db
      .deleteFrom('sessions')
      .where('organization_id', '=', organization.id)
      .where('user_id', '=', userId)
      .where(condition)
      .returning('token_hash')
      .execute();
    if (ended.length === 0) return false;
    append(sessionsEnded({ userId, sessions: ended.map((row) => nameOf(row.token_hash)) }));
    return true;
  });
}

/** Ends all sessions of the account. */
export function endSessionsOf(organization: Organization, userId: number): Promise<void> {
  return organization.transact('server', 'optimistic', (change) => endSessionsIn(change, userId));
}

/**
 * The same within an open transaction.
 * @param replaced the token of a session whose browser gets another one with the response
 */
export async function endSessionsIn(
  { db, directory, append }: Pick<OptimisticChange, 'db' | 'directory' | 'append'>,
  userId: number,
  replaced?: string,
): Promise<void> {
  const { id } = directory.organization;
  await db.deleteFrom('sessions').where('organization_id', '=', id).where('user_id', '=', userId).execute();
  append(
    sessionsEnded({
      userId,
      sessions: 'all',
      ...(replaced !== undefined && { replaced: sessionName(replaced) }),
    }),
  );
}

/** Deletes a batch of expired sessions. Index: sessions_by_use. */
export async function collectSessions({ db }: SessionContext): Promise<void> {
  await sql`
    DELETE FROM sessions
     WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM sessions WHERE used_at < now() - ${MAX_IDLE_TIME}::interval LIMIT 10000))`.execute(db);
}

/** The key of a session in the database. */
export function sessionHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

const SESSION_NAME_BYTES = 12;
const NAME_LENGTH = sql.lit(SESSION_NAME_BYTES);

/** The name of a session in memory and in the log: the first bytes of its hash. It opens no session. */
export function sessionName(token: string): string {
  return nameOf(sessionHash(token));
}

function nameOf(tokenHash: Buffer): string {
  return tokenHash.toString('base64url', 0, SESSION_NAME_BYTES);
}
