/** Registers devices at the push service. The request of the phone gets its response before that. */
import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../../db/schema.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { kindNumber } from '../../push/devices.ts';
import { organizationUuid, userUuid } from '../../push/identities.ts';
import { type PushService, PushServiceError } from '../../push/service.ts';
import { pushDeviceEvent } from './events.ts';

/** Devices, and so requests, at the same time. */
const MAX_CONCURRENT_DEVICES = 8;
/** Longer than most outages; the service would reject a later registration. In seconds. */
const REGISTRATION_TIME_LIMIT_SECONDS = 86_400;
/** Errors that no retry mends. */
const LASTING = new Set(['INVALID_BOUNCER_PUBLIC_KEY', 'INVALID_ENCRYPTED_PUSH_REGISTRATION', 'REQUEST_EXPIRED']);

interface DueDevice {
  readonly organization_id: number;
  readonly user_id: number;
  readonly id: number;
  readonly kind: string;
  readonly account_id: string | null;
  readonly token: string | null;
  readonly ios_app_id: string | null;
  readonly state: 'pending' | 'leaving';
  readonly registration: Readonly<Record<string, string>> | null;
  readonly attempts: number;
  readonly is_late: boolean;
}

type IntroducingContext = Pick<AppContext, 'db' | 'organizations' | 'secret' | 'log'>;

/**
 * Registers the due devices at the service.
 * @returns whether there may be more
 */
export async function introduceDevices(app: IntroducingContext, service: PushService): Promise<boolean> {
  const due = await claim(app.db);
  await Promise.all(due.map((device) => introduce(app, service, device)));
  return due.length === MAX_CONCURRENT_DEVICES;
}

/**
 * Postpones each device at once, for 20 s, 40 s, … an hour. So no other process takes it, and the device of a killed process is retried.
 * Every pause is longer than the timeout of the service. Index: push_devices_due.
 */
async function claim(db: Db): Promise<readonly DueDevice[]> {
  const { rows } = await sql<DueDevice>`
    UPDATE push_devices device
       SET attempts = attempts + 1, due_at = now() + make_interval(secs => least(20 * 2 ^ least(attempts, 10), 3600))
      FROM (SELECT organization_id, user_id, id FROM push_devices WHERE due_at <= now()
             ORDER BY due_at LIMIT ${MAX_CONCURRENT_DEVICES} FOR UPDATE SKIP LOCKED) AS due
     WHERE device.organization_id = due.organization_id AND device.user_id = due.user_id AND device.id = due.id
    RETURNING device.organization_id, device.user_id, device.id, kind, push_account_id::text AS account_id, token,
              ios_app_id, state, registration, attempts,
              registered_at < now() - make_interval(secs => ${REGISTRATION_TIME_LIMIT_SECONDS}) AS is_late`.execute(db);
  return rows;
}

/** Never rejects because of the service. */
async function introduce(app: IntroducingContext, service: PushService, device: DueDevice): Promise<void> {
  try {
    if (device.account_id !== null) await register(app, service, device, device.account_id);
    else if (device.state === 'pending') await registerToken(app, service, device);
    else await unregisterToken(app, service, device);
  } catch (error) {
    if (!(error instanceof PushServiceError)) throw error;
    report(app.log, error, device);
  }
}

async function register(
  app: IntroducingContext,
  service: PushService,
  device: DueDevice,
  accountId: string,
): Promise<void> {
  if (device.is_late) return settle(app, device, accountId, { errorCode: 'REQUEST_EXPIRED' });
  let serviceId: unknown;
  try {
    const answer = await service.postForm('push/e2ee/register', {
      realm_uuid: organizationUuid(app.secret, device.organization_id),
      push_account_id: accountId,
      ...device.registration,
    });
    serviceId = answer.device_id;
  } catch (error) {
    if (!(error instanceof PushServiceError) || error.problem !== 'refused') throw error;
    const code = error.code !== null && LASTING.has(error.code) ? error.code : 'BAD_REQUEST';
    return settle(app, device, accountId, { errorCode: code });
  }
  if (!Number.isSafeInteger(serviceId)) throw new PushServiceError('failing', 'the push service names no device');
  return settle(app, device, accountId, { serviceId: Number(serviceId) });
}

/** The result of a registration at the push service. */
export type Settled = { readonly serviceId: number } | { readonly errorCode: string };

async function settle(
  app: IntroducingContext,
  { organization_id: organizationId, user_id: userId }: DueDevice,
  accountId: string,
  settled: Settled,
): Promise<void> {
  const organization = await app.organizations.byId(organizationId);
  await organization?.transact('server', 'optimistic', (change) =>
    settleDevice(change, { userId, accountId }, settled),
  );
}

/** Stores the result, if the registration is still pending, and notifies the user's clients. */
export async function settleDevice(
  { db, directory, append }: OptimisticChange,
  { userId, accountId }: { readonly userId: number; readonly accountId: string },
  settled: Settled,
): Promise<void> {
  const isActive = 'serviceId' in settled;
  const { numUpdatedRows } = await db
    .updateTable('push_devices')
    .set({
      state: isActive ? 'active' : 'failed',
      service_device_id: isActive ? settled.serviceId : null,
      error_code: isActive ? null : settled.errorCode,
      registration: null,
      due_at: null,
    })
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', userId)
    .where('push_account_id', '=', accountId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const status = isActive ? 'active' : 'failed';
  append(pushDeviceEvent(userId, { accountId, status, errorCode: isActive ? null : settled.errorCode }));
}

async function registerToken({ db, secret, log }: IntroducingContext, service: PushService, device: DueDevice) {
  const { kind, token, ios_app_id: appId } = device;
  try {
    await service.postForm('push/register', {
      ...identity(secret, device),
      token: token ?? '',
      token_kind: kindNumber(kind),
      ...(appId !== null && { ios_app_id: appId }),
    });
  } catch (error) {
    if (!(error instanceof PushServiceError) || (error.problem !== 'refused' && !device.is_late)) throw error;
    report(log, error, device);
    await sql`DELETE FROM push_devices WHERE ${thatOne(device)}`.execute(db);
    return;
  }
  await sql`UPDATE push_devices SET state = 'active', attempts = 0, due_at = NULL WHERE ${thatOne(device)}`.execute(db);
}

async function unregisterToken({ db, secret }: IntroducingContext, service: PushService, device: DueDevice) {
  const { kind, token } = device;
  try {
    await service.postForm('push/unregister', {
      ...identity(secret, device),
      token: token ?? '',
      token_kind: kindNumber(kind),
    });
  } catch (error) {
    // The service does not know the token, or we have retried for long enough.
    if (!(error instanceof PushServiceError) || (error.problem !== 'refused' && device.attempts < 10)) throw error;
  }
  await sql`DELETE FROM push_devices WHERE ${thatOne(device)}`.execute(db);
}

function identity(secret: Buffer, { organization_id: organizationId, user_id: userId }: DueDevice) {
  return {
    user_uuid: userUuid(secret, organizationId, userId),
    user_id: userId,
    realm_uuid: organizationUuid(secret, organizationId),
  };
}

/** Matches the row only if it has not changed meanwhile. */
function thatOne({ organization_id, user_id, id, state }: DueDevice): RawBuilder<boolean> {
  return sql`organization_id = ${organization_id} AND user_id = ${user_id} AND id = ${id} AND state = ${state}`;
}

/** An error that only the operator can mend is logged as an error. Other errors pass. */
function report(log: Logger, error: PushServiceError, { organization_id, user_id, attempts }: DueDevice): void {
  const facts = { organization: organization_id, user: user_id, attempts, reason: error.message };
  const level = error.problem === 'not-serving' ? 'error' : 'warn';
  log[level](facts, 'the push service could not register a device');
}
