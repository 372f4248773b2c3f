/**
 * The devices of a user: encrypted registrations and tokens without encryption. `introducing.ts` registers them at the push service later.
 */
import { hash } from 'node:crypto';
import { badRequest, missingParameter, unauthorized } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { Db, DbTransaction } from '../../db/schema.ts';
import { lockUsers } from '../../db/user-locks.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { PUSH_READER } from '../../domain/notifications/push-notifications/reading.ts';
import { addCursor } from '../../log/consumer.ts';
import { encryptFor, parsePublicKey, parseSecretKey } from '../../push/encrypting.ts';
import { pushDeviceEvent } from './events.ts';

/** More than any user has. A notification is encrypted for each device. */
const MAX_DEVICES_PER_USER = 100;

export interface Registration {
  readonly kind: 'apns' | 'fcm';
  /** Digits. */
  readonly accountId: string;
  readonly key: Buffer;
  /** For the push service: which of its keys was used, and the data that only it can decrypt. */
  readonly forService: { readonly bouncer_public_key: string; readonly encrypted_push_registration: string };
}

/**
 * The key of the device, from one of the two parameters.
 * @throws ApiError
 */
export async function deviceKey(publicKey: string | undefined, secretKey: string | undefined): Promise<Buffer> {
  if (secretKey !== undefined) {
    const key = parseSecretKey(secretKey);
    if (key === undefined) throw badRequest('Invalid `push_key`');
    return key;
  }
  if (publicKey === undefined) throw missingParameter('push_public_key');
  const key = parsePublicKey(publicKey);
  if (key === undefined || !(await canEncrypt(key))) throw badRequest('Invalid `push_public_key`');
  return key;
}

/** Some 32-byte values are no points of the curve that can be encrypted to. */
async function canEncrypt(key: Buffer): Promise<boolean> {
  return encryptFor(key, '').then(
    () => true,
    () => false,
  );
}

/**
 * Locks the devices of the caller, and their API key. A new key ends all devices (`renewKey`). So a request
 * with the old key must not add another one afterwards.
 * @param caller as of the authentication of the request
 * @throws ApiError `UNAUTHORIZED`
 */
async function lockCaller(db: DbTransaction, organizationId: number, { id, apiKeyVersion }: UserRecord): Promise<void> {
  await lockUsers(db, organizationId, [id]);
  const account = await db
    .selectFrom('users')
    .select('api_key_version')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  if (account?.api_key_version !== apiKeyVersion) throw unauthorized('Invalid API key');
}

/**
 * Registers a device, or retries one whose registration has failed. Any other stays as it is.
 * @param caller as of the authentication of the request
 * @returns whether the push service must be notified
 * @throws ApiError if the user has too many
 */
export async function registerDevice(
  { db, directory, append }: OptimisticChange,
  caller: UserRecord,
  { kind, accountId, key, forService }: Registration,
): Promise<boolean> {
  const organizationId = directory.organization.id;
  await lockCaller(db, organizationId, caller);
  const known = await db
    .selectFrom('push_devices')
    .select(['state'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', caller.id)
    .where('push_account_id', '=', accountId)
    .executeTakeFirst();
  if (known !== undefined && known.state !== 'failed') return false;
  if (known === undefined && (await countDevices(db, organizationId, caller.id)) >= MAX_DEVICES_PER_USER) {
    throw badRequest(`Too many push devices (limit: ${MAX_DEVICES_PER_USER})`);
  }
  await sql`
    INSERT INTO push_devices (organization_id, user_id, kind, push_account_id, push_key, state, registration, due_at)
    VALUES (${organizationId}, ${caller.id}, ${kind}, ${accountId}::bigint, ${key}, 'pending',
            ${JSON.stringify(forService)}::jsonb, now())
    ON CONFLICT (organization_id, user_id, push_account_id) DO UPDATE
       SET kind = excluded.kind, push_key = excluded.push_key, service_device_id = NULL, state = 'pending',
           error_code = NULL, registration = excluded.registration, registered_at = now(), attempts = 0,
           due_at = now()`.execute(db);
  await addCursor(db, organizationId, PUSH_READER);
  append(pushDeviceEvent(caller.id, { accountId, status: 'pending', errorCode: null }));
  return true;
}

export interface Token {
  readonly kind: 'apns' | 'fcm';
  readonly token: string;
  readonly iosAppId: string | null;
}

/** @throws ApiError for a token that no phone can have */
export function checkToken({ kind, token, iosAppId }: Token): void {
  if (token === '' || token.length > 4096) throw badRequest('Empty or invalid length token');
  if (kind === 'apns' && !/^([\da-f]{2})+$/i.test(token)) throw badRequest('Invalid APNS token');
  if (iosAppId !== null && !/^[.a-z\d-]+$/i.test(iosAppId)) throw badRequest('appid has invalid format');
}

/**
 * Adds a token without the key of its device. Beyond the bound it deletes the oldest tokens: phones get new ones and do not report it.
 * @param caller as of the authentication of the request
 * @returns whether the push service must be notified
 */
export async function addToken(
  { db, directory }: OptimisticChange,
  caller: UserRecord,
  token: Token,
): Promise<boolean> {
  const organizationId = directory.organization.id;
  await lockCaller(db, organizationId, caller);
  const { rows } = await sql`
    INSERT INTO push_devices (organization_id, user_id, kind, token, token_key, ios_app_id, state, due_at)
    VALUES (${organizationId}, ${caller.id}, ${token.kind}, ${token.token}, ${tokenKey(token)}, ${token.iosAppId},
            'pending', now())
    ON CONFLICT (organization_id, user_id, token_key) DO UPDATE
       SET state = 'pending', ios_app_id = excluded.ios_app_id, registered_at = now(), attempts = 0, due_at = now()
     WHERE push_devices.state = 'leaving'
    RETURNING id`.execute(db);
  if (rows.length === 0) return false;
  await addCursor(db, organizationId, PUSH_READER);
  await sql`
    UPDATE push_devices SET state = 'leaving', attempts = 0, due_at = now()
     WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
             SELECT ctid FROM push_devices
              WHERE organization_id = ${organizationId} AND user_id = ${caller.id} AND token IS NOT NULL
                AND state <> 'leaving'
              ORDER BY registered_at DESC, id DESC OFFSET ${MAX_DEVICES_PER_USER}))`.execute(db);
  return true;
}

/** @throws ApiError if the user has no such token */
export async function removeToken(
  { db, directory }: OptimisticChange,
  caller: UserRecord,
  token: Pick<Token, 'kind' | 'token'>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('push_devices')
    .set({ state: 'leaving', attempts: 0, due_at: new Date() })
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', caller.id)
    .where('token_key', '=', tokenKey(token))
    .where('state', '<>', 'leaving')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw badRequest('Token does not exist');
}

/** APNs tokens ignore case. Tokens are longer than an index allows. */
function tokenKey({ kind, token }: Pick<Token, 'kind' | 'token'>): string {
  return `${kind} ${hash('sha256', kind === 'apns' ? token.toLowerCase() : token, 'base64')}`;
}

/** Index: the primary key. */
async function countDevices(db: Db | DbTransaction, organizationId: number, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('push_devices')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('token', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
