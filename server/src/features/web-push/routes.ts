import * as endpoints from '@heddle/api/endpoints/web-push.ts';
import { badRequest, resourceNotFound } from '@heddle/api/errors.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { Networks } from '../../outbound/networks.ts';
import { parseAuthSecret, parseBrowserKey } from './encrypting.ts';
import { endpointUrl } from './endpoints.ts';
import { type Browser, browsersOf, isRemoved, subscribe, unsubscribe, unsubscribeSession } from './subscriptions.ts';

export function webPushRoutes({ db, config }: AppContext): readonly HeddleRoute[] {
  const own = new Networks(config.webPushPrivateNetworks);
  return [
    route(endpoints.subscribeToWebPush, {}, async ({ parameters, organization, caller, session }) => {
      const token = sessionOf(session);
      const endpoint = endpointUrl(parameters.endpoint, own);
      if (endpoint === undefined) throw badRequest('Invalid `endpoint`');
      const publicKey = parseBrowserKey(parameters.p256dh);
      if (publicKey === undefined) throw badRequest('Invalid `p256dh`');
      const authSecret = parseAuthSecret(parameters.auth);
      if (authSecret === undefined) throw badRequest('Invalid `auth`');
      const subscription = {
        endpoint,
        keys: { publicKey, authSecret },
        showsText: parameters.shows_text,
        session: token,
      };
      const device_id = await organization.transact(caller, 'optimistic', (change, user) =>
        subscribe(change, user, subscription),
      );
      return { device_id };
    }),

    route(endpoints.unsubscribeFromWebPush, {}, async ({ organization, caller, session }) => {
      const token = sessionOf(session);
      await organization.transact(caller, 'optimistic', (change) => unsubscribeSession(change, token));
      return {};
    }),

    route(endpoints.getWebPushDevices, {}, async ({ organization, caller, session }) => {
      const browsers = await browsersOf(db, organization.id, { userId: caller.id, session });
      return { devices: browsers.map(present), is_removed: await isRemoved(db, organization.id, session) };
    }),

    route(endpoints.removeWebPushDevice, {}, async ({ parameters, organization, caller }) => {
      const wasThere = await organization.transact(caller, 'optimistic', (change, user) =>
        unsubscribe(change, user, parameters.device_id),
      );
      if (!wasThere) throw resourceNotFound('Device does not exist');
      return {};
    }),
  ];
}

/** @throws ApiError */
function sessionOf(session: string | undefined): string {
  if (session === undefined) throw badRequest('Only a browser with a session can receive Web Push.');
  return session;
}

function present({ id, isThis, browser, system, showsText, registeredAt, usedAt, notifiedAt }: Browser) {
  return {
    device_id: id,
    is_current: isThis,
    browser,
    system,
    shows_text: showsText,
    registered_at: inSeconds(registeredAt),
    last_used_at: inSeconds(usedAt),
    last_notified_at: notifiedAt === null ? null : inSeconds(notifiedAt),
  };
}

function inSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
