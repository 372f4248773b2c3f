/** Web Push for the browsers of a user (RFC 8030, 8291, 8292). An extension of the API: other clients need none of it. */
import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, required } from '../contract.ts';

const AREA = 'Web Push';

/** Maximum length of the address of a browser's push service, in characters. Those of today have some hundred. */
const MAX_ENDPOINT_LENGTH = 2000;

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const device = Type.Object(
  {
    device_id: Type.Integer(),
    is_current: Type.Boolean({ description: 'Whether the browser has sent this request' }),
    browser: nullableText('The name of the browser. Null: unknown'),
    system: nullableText('The name of the operating system. Null: unknown'),
    shows_text: Type.Boolean({ description: 'Whether its notifications contain the text of messages' }),
    registered_at: Type.Integer({ description: 'Seconds since the epoch, as all times here' }),
    last_used_at: Type.Integer({ description: 'When the browser was used last, up to an hour too early' }),
    last_notified_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'When its push service accepted the last notification. Null: never',
    }),
  },
  { title: 'WebPushDevice' },
);

export const subscribeToWebPush = defineEndpoint({
  operationId: 'subscribe-to-web-push',
  method: 'POST',
  path: '/web_push/subscription',
  area: AREA,
  summary: 'Notify this browser',
  description:
    'Of Heddle alone, for browsers with a session. The values are those of `PushSubscription.toJSON()`, with `web_push_public_key` of the initial state as `applicationServerKey`. The session has one subscription, which ends with it. A further request replaces it. A user has at most ten; another one replaces the one that is unused for longest.',
  authentication: 'required',
  parameters: {
    endpoint: required(text({ minLength: 1, maxLength: MAX_ENDPOINT_LENGTH }), {
      description: 'An `https:` address of the push service. Private networks are refused',
    }),
    p256dh: required(text({ maxLength: 100 }), { description: 'A point of P-256 in Base64 for URLs' }),
    auth: required(text({ maxLength: 30 }), { description: '16 bytes in Base64 for URLs' }),
    shows_text: defaulted(Type.Boolean(), true, {
      description: 'Whether notifications contain the text of messages. The push service cannot read it in either case',
    }),
  },
  response: Type.Object({ device_id: Type.Integer() }),
  errors: [],
});

export const unsubscribeFromWebPush = defineEndpoint({
  operationId: 'unsubscribe-from-web-push',
  method: 'DELETE',
  path: '/web_push/subscription',
  area: AREA,
  summary: 'Notify this browser no longer',
  description: 'Of Heddle alone. It succeeds also if the session has no subscription.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({}),
  errors: [],
});

export const getWebPushDevices = defineEndpoint({
  operationId: 'get-web-push-devices',
  method: 'GET',
  path: '/web_push/devices',
  area: AREA,
  summary: "Get the caller's browsers that are notified",
  description: 'Of Heddle alone. The last used one comes first.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    devices: Type.Array(device),
    is_removed: Type.Boolean({
      description:
        'Whether the caller has removed the browser of this session, which has not subscribed since. If it is neither in the list nor removed, its subscription has ended, and it can subscribe anew.',
    }),
  }),
  errors: [],
});

export const removeWebPushDevice = defineEndpoint({
  operationId: 'remove-web-push-device',
  method: 'DELETE',
  path: '/web_push/devices/{device_id}',
  area: AREA,
  summary: "Notify one of the caller's browsers no longer",
  description: 'Of Heddle alone. The session of the browser continues.',
  authentication: 'required',
  parameters: { device_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});
