import * as endpoints from '@heddle/api/endpoints/mobile-push.ts';
import { badRequest, invalidParameter } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { addClientDevice, removeClientDevice } from './client-devices.ts';
import { addToken, checkToken, deviceKey, registerDevice, removeToken, type Token } from './registering.ts';
import { pushOf } from './running.ts';
import { sendEncryptedTest, sendPlainTest } from './test-notifications.ts';

interface Request {
  readonly organization: Organization;
  readonly caller: UserRecord;
}

export function mobilePushRoutes(app: AppContext): readonly HeddleRoute[] {
  const push = pushOf(app);
  const forTests = { ...app, service: push.service };

  async function add({ organization, caller }: Request, token: Token) {
    refuseBots(caller);
    checkToken(token);
    if (await organization.transact(caller, 'optimistic', (change) => addToken(change, caller, token))) push.wake();
    return {};
  }

  async function remove({ organization, caller }: Request, token: Token) {
    refuseBots(caller);
    checkToken(token);
    await organization.transact(caller, 'optimistic', (change, user) => removeToken(change, user, token));
    push.wake();
    return {};
  }

  return [
    route(endpoints.registerPushDevice, {}, async ({ parameters, organization, caller }) => {
      refuseBots(caller);
      if (push.service === undefined) throw badRequest('Server is not configured to use push notification service.');
      const { token_kind, push_account_id, push_public_key, push_key, ...forService } = parameters;
      const registration = {
        kind: token_kind,
        accountId: wholeNumber(push_account_id),
        key: await deviceKey(push_public_key, push_key),
        forService,
      };
      const isNew = await organization.transact(caller, 'optimistic', (change) =>
        registerDevice(change, caller, registration),
      );
      if (isNew) push.wake();
      return {};
    }),

    route(endpoints.sendEncryptedTest, {}, async ({ parameters, organization, caller }) => {
      refuseBots(caller);
      const { push_account_id: id } = parameters;
      await sendEncryptedTest(forTests, organization, caller, id === undefined ? undefined : wholeNumber(id));
      return {};
    }),

    route(endpoints.sendTest, {}, async ({ parameters, organization, caller }) => {
      refuseBots(caller);
      await sendPlainTest(forTests, organization, caller, parameters.token);
      return {};
    }),

    route(endpoints.addApnsToken, {}, ({ parameters, ...request }) =>
      add(request, { kind: 'apns', token: parameters.token, iosAppId: parameters.appid }),
    ),
    route(endpoints.removeApnsToken, {}, ({ parameters, ...request }) =>
      remove(request, { kind: 'apns', token: parameters.token, iosAppId: null }),
    ),
    route(endpoints.addFcmToken, {}, ({ parameters, ...request }) =>
      add(request, { kind: 'fcm', token: parameters.token, iosAppId: null }),
    ),
    route(endpoints.removeFcmToken, {}, ({ parameters, ...request }) =>
      remove(request, { kind: 'fcm', token: parameters.token, iosAppId: null }),
    ),

    route(endpoints.registerClientDevice, {}, async ({ organization, caller }) => {
      refuseBots(caller);
      return { device_id: await organization.transact(caller, 'optimistic', addClientDevice) };
    }),

    route(endpoints.removeClientDevice, {}, async ({ parameters, organization, caller }) => {
      refuseBots(caller);
      await organization.transact(caller, 'optimistic', (change, user) =>
        removeClientDevice(change, user, parameters.device_id),
      );
      return {};
    }),
  ];
}

function refuseBots(caller: UserRecord): void {
  if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
}

/** The digits of a 64-bit number. */
function wholeNumber(text: string): string {
  const value = BigInt(text);
  if (BigInt.asIntN(64, value) !== value) throw invalidParameter('push_account_id', 'is too large');
  return String(value);
}
