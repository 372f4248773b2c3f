import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, optional, required } from '../contract.ts';

const AREA = 'Mobile push';

/** Random 64-bit numbers of the clients' own: more than a JavaScript number holds, so they are handled as digits. */
const pushAccountId = text({ maxLength: 20, pattern: '^-?\\d{1,19}$', description: 'A whole number of 64 bits' });
const token = text({ maxLength: 4096, description: 'As the phone’s maker gave it out' });
const device = Type.Integer();

export const registerPushDevice = defineEndpoint({
  operationId: 'register-push-device',
  method: 'POST',
  path: '/mobile_push/register',
  area: AREA,
  summary: 'Register a device for end-to-end encrypted notifications',
  description:
    'Answers at once; a push_device event tells when the push service knows the device, or why it does not take it. A registration that is there, and has not failed, stays as it is. An account has at most 100 devices.',
  authentication: 'required',
  parameters: {
    token_kind: required(Type.Union([Type.Literal('apns'), Type.Literal('fcm')])),
    push_account_id: required(pushAccountId, { description: 'The client’s own random number for the account' }),
    push_public_key: optional(text({ maxLength: 200 }), {
      description:
        'The device’s X25519 public key, Base64: notifications come in a sealed box (libsodium’s crypto_box_seal). Either this or push_key.',
    }),
    push_key: optional(text({ maxLength: 200 }), {
      description:
        'As newer clients send it, Base64: the byte 0x31 and a key of 32 bytes. Notifications come in libsodium’s crypto_secretbox_easy, the nonce first.',
    }),
    bouncer_public_key: required(text({ maxLength: 1000 }), { description: 'To which the registration is encrypted' }),
    encrypted_push_registration: required(text(), { description: 'For the push service alone' }),
  },
  response: Type.Object({}),
  errors: [],
});

export const sendEncryptedTest = defineEndpoint({
  operationId: 'e2ee-test-notify',
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  area: AREA,
  summary: 'Send an end-to-end encrypted test notification',
  authentication: 'required',
  parameters: {
    push_account_id: optional(pushAccountId, { description: 'All of the caller’s devices if not given' }),
  },
  response: Type.Object({}),
  errors: [
    'NO_ACTIVE_PUSH_DEVICE',
    'ADMIN_ACTION_REQUIRED',
    'FAILED_TO_CONNECT_BOUNCER',
    'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  ],
});

export const sendTest = defineEndpoint({
  operationId: 'test-notify',
  method: 'POST',
  path: '/mobile_push/test_notification',
  area: AREA,
  summary: 'Send a test notification that is not encrypted',
  authentication: 'required',
  deprecated: true,
  parameters: { token: optional(token, { description: 'All of the caller’s tokens if not given' }) },
  response: Type.Object({}),
  errors: [
    'INVALID_PUSH_DEVICE_TOKEN',
    'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
    'ADMIN_ACTION_REQUIRED',
    'FAILED_TO_CONNECT_BOUNCER',
    'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  ],
});

export const addApnsToken = defineEndpoint({
  operationId: 'add-apns-token',
  method: 'POST',
  path: '/users/me/apns_device_token',
  area: AREA,
  summary: 'Add an APNs device token',
  description: 'Of an account’s more than 100 devices the tokens that were added longest ago go.',
  authentication: 'required',
  deprecated: true,
  parameters: {
    token: required(token, { description: 'Hexadecimal' }),
    appid: required(text({ maxLength: 200 }), { description: 'The app’s bundle id' }),
  },
  response: Type.Object({}),
  errors: [],
});

export const removeApnsToken = defineEndpoint({
  operationId: 'remove-apns-token',
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  area: AREA,
  summary: 'Remove an APNs device token',
  authentication: 'required',
  deprecated: true,
  parameters: { token: required(token) },
  response: Type.Object({}),
  errors: [],
});

export const addFcmToken = defineEndpoint({
  operationId: 'add-fcm-token',
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  area: AREA,
  summary: 'Add an FCM registration token',
  authentication: 'required',
  deprecated: true,
  parameters: { token: required(token) },
  response: Type.Object({}),
  errors: [],
});

export const removeFcmToken = defineEndpoint({
  operationId: 'remove-fcm-token',
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  area: AREA,
  summary: 'Remove an FCM registration token',
  authentication: 'required',
  deprecated: true,
  parameters: { token: required(token) },
  response: Type.Object({}),
  errors: [],
});

export const registerClientDevice = defineEndpoint({
  operationId: 'register-client-device',
  method: 'POST',
  path: '/register_client_device',
  area: AREA,
  summary: 'Register a logged-in device',
  description: 'An account has at most 100; with one more the oldest goes.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ device_id: device }),
  errors: [],
});

export const removeClientDevice = defineEndpoint({
  operationId: 'remove-client-device',
  method: 'POST',
  path: '/remove_client_device',
  area: AREA,
  summary: 'Remove a logged-in device',
  authentication: 'required',
  parameters: { device_id: required(device) },
  response: Type.Object({}),
  errors: [],
});
