/** Test notifications. A user waits for the result, so every failure is in the response. */
import {
  badRequest,
  noActivePushDevice,
  pushServiceFails,
  pushServiceRefuses,
  pushServiceUnreachable,
  unknownPushToken,
  unknownToPushService,
} from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { DEVICE_COLUMNS, type DeviceRow, kindNumber, type PushDevice, toDevice } from '../../push/devices.ts';
import { sendEncrypted } from '../../push/encrypted-requests.ts';
import { organizationUuid, userUuid } from '../../push/identities.ts';
import { type PushService, PushServiceError } from '../../push/service.ts';
import { removeGone } from './gone.ts';
import { type Account, encryptedTest, plainTest } from './payloads.ts';

/** Concurrent requests for the tokens of a user. */
const MAX_CONCURRENT_REQUESTS = 8;

export interface TestApp extends Pick<AppContext, 'db' | 'secret' | 'address' | 'log'> {
  readonly service: PushService | undefined;
}

/**
 * @param accountId undefined: all of the user's devices
 * @throws ApiError `NO_ACTIVE_PUSH_DEVICE`, and for failures of the service
 */
export async function sendEncryptedTest(
  app: TestApp,
  organization: Organization,
  caller: UserRecord,
  accountId: string | undefined,
): Promise<void> {
  const { db, secret, log } = app;
  const devices = await ownDevices(
    app,
    organization.id,
    caller.id,
    accountId === undefined ? sql`push_account_id IS NOT NULL` : sql`push_account_id = ${accountId}::bigint`,
  );
  if (devices.length === 0) throw noActivePushDevice();
  const text = JSON.stringify(encryptedTest(accountOf(app, organization, caller), Math.floor(Date.now() / 1000)));
  const gone = await answering(app, (service) =>
    sendEncrypted(
      service,
      organizationUuid(secret, organization.id),
      devices.map((device) => ({ device, text, isUrgent: true })),
    ),
  );
  await removeGone(db, log, organization.id, gone);
  if (gone.length === devices.length) throw noActivePushDevice();
}

/**
 * @param token undefined: all of the user's tokens
 * @throws ApiError `INVALID_PUSH_DEVICE_TOKEN`, `INVALID_REMOTE_PUSH_DEVICE_TOKEN`, and for failures of the service
 */
export async function sendPlainTest(
  app: TestApp,
  organization: Organization,
  caller: UserRecord,
  token: string | undefined,
): Promise<void> {
  const devices = await ownDevices(
    app,
    organization.id,
    caller.id,
    token === undefined ? sql`token IS NOT NULL` : sql`token = ${token}`,
  );
  if (devices.length === 0 && token !== undefined) throw unknownPushToken();
  const base = plainTest(accountOf(app, organization, caller));
  const identity = {
    realm_uuid: organizationUuid(app.secret, organization.id),
    user_uuid: userUuid(app.secret, organization.id, caller.id),
    user_id: caller.id,
  };
  for (let start = 0; start < devices.length; start += MAX_CONCURRENT_REQUESTS) {
    await answering(app, (service) =>
      Promise.all(
        devices.slice(start, start + MAX_CONCURRENT_REQUESTS).map((device) => {
          const about = { token: device.token, token_kind: kindNumber(device.kind), base_payload: base };
          return service.postJson('push/test_notification', JSON.stringify({ ...identity, ...about }));
        }),
      ),
    );
  }
}

/** The devices that the push service knows. Index: the primary key. */
async function ownDevices(
  { db }: TestApp,
  organizationId: number,
  userId: number,
  which: RawBuilder<boolean>,
): Promise<readonly PushDevice[]> {
  const { rows } = await sql<DeviceRow>`
    SELECT ${DEVICE_COLUMNS} FROM push_devices
     WHERE organization_id = ${organizationId} AND user_id = ${userId} AND state = 'active' AND ${which}
     ORDER BY id`.execute(db);
  return rows.map(toDevice);
}

function accountOf({ address }: TestApp, { directory }: Organization, { id }: UserRecord): Account {
  return { directory, address, userId: id };
}

/** Turns failures of the service into errors of the API. */
async function answering<Result>(
  { service, log }: TestApp,
  ask: (service: PushService) => Promise<Result>,
): Promise<Result> {
  if (service === undefined) throw pushServiceRefuses();
  try {
    return await ask(service);
  } catch (error) {
    if (!(error instanceof PushServiceError)) throw error;
    if (error.problem === 'not-serving') log.error({ reason: error.message }, 'a test notification was refused');
    throw errorFor(error);
  }
}

function errorFor({ problem, code }: PushServiceError) {
  switch (problem) {
    case 'unreachable':
      return pushServiceUnreachable();
    case 'failing':
      return pushServiceFails();
    case 'not-serving':
      return pushServiceRefuses();
    default:
      if (code === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN') return unknownToPushService();
      return badRequest('The push notification service does not take this notification.');
  }
}
