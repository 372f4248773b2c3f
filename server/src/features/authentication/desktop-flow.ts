/**
 * How a desktop app gets a session from a login in a browser (public reference):
 *
 * 1. The app opens the login page with a key (`desktop_flow_otp`, 64 hexadecimal digits).
 * 2. The page shows a token that is encrypted with the key (AES-256-GCM; 12 bytes of nonce, the ciphertext, 16 bytes of tag). The user
 *   copies it to the app.
 * 3. The app decrypts it and opens `/accounts/login/subdomain/` with the token.
 *
 * Other programs that read the clipboard cannot decrypt the token.
 */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { AppContext } from '../../extension/app-context.ts';
import type { LoggedIn } from './password-login.ts';

/** In minutes: users copy the token by hand. */
export const TOKEN_LIFETIME_MINUTES = 5;

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TOKEN = /^[0-9a-f]{32}$/;

/**
 * A token that begins a session of the account, once. It replaces any other of the account.
 * @returns undefined if the account was deactivated or its password changed meanwhile
 */
export async function makeDesktopToken(
  { db }: Pick<AppContext, 'db'>,
  organizationId: number,
  { user, passwordHash }: LoggedIn,
): Promise<string | undefined> {
  const token = randomBytes(16).toString('hex');
  const isUnchanged = passwordHash === undefined ? sql`true` : sql`password_hash = ${passwordHash}`;
  await db
    .deleteFrom('desktop_logins')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', user.id)
    .execute();
  // The row lock orders this with changes of the account. A later change deletes the token; an earlier one is visible here.
  const { numAffectedRows } = await sql`
    INSERT INTO desktop_logins (organization_id, token_hash, user_id)
    SELECT organization_id, ${hashOf(token)}, id
      FROM users
     WHERE organization_id = ${organizationId} AND id = ${user.id} AND is_active AND ${isUnchanged}
       FOR SHARE`.execute(db);
  return numAffectedRows === 1n ? token : undefined;
}

/** Uses up the token and returns the account whose session it begins; undefined if it is not valid. Index: the primary key. */
export async function useDesktopToken(
  { db }: Pick<AppContext, 'db'>,
  organizationId: number,
  token: string,
): Promise<number | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const used = await db
    .deleteFrom('desktop_logins')
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', hashOf(token))
    .returning([
      'user_id',
      sql<boolean>`created_at > now() - make_interval(mins => ${TOKEN_LIFETIME_MINUTES})`.as('is_good'),
    ])
    .executeTakeFirst();
  return used?.is_good ? used.user_id : undefined;
}

/** Deletes expired tokens, a part at a time. Index: desktop_logins_by_age. */
export async function collectDesktopTokens({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await sql`
    DELETE FROM desktop_logins
     WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM desktop_logins WHERE created_at < now() - interval '1 hour' LIMIT 10000))`.execute(db);
}

/** @param key as hexadecimal digits */
export function encryptedToken(token: string, key: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, 'hex'), nonce);
  return Buffer.concat([nonce, cipher.update(token), cipher.final(), cipher.getAuthTag()]).toString('hex');
}

/** The token; undefined if the data was not encrypted with this key. */
export function decryptedToken(data: string, key: string): string | undefined {
  const bytes = Buffer.from(data, 'hex');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, 'hex'), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
