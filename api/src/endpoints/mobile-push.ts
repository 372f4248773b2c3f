import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, optional, required } from '../contract.ts';

const AREA = 'Mobile push';

/** A random 64-bit number that the client chooses. A JavaScript number cannot hold it, so the server handles it as a string of digits. */
const pushAccountId = text({ maxLength: 20, pattern: '^-?\\d{1,19}$', description: 'A 64-bit integer' });
const token = text({ maxLength: 4096, description: 'A token of the push service of the phone manufacturer' });
const device = Type.Integer();

export const registerPushDevice = defineEndpoint({
  operationId: 'register-push-device',
  method: 'POST',
  path: '/mobile_push/register',
  area: AREA,
  summary: 'Register a device for end-to-end encrypted notifications',
  description:
    'The response is immediate. A `push_device` event follows with the success or the error of the push service. An existing registration does not change unless it failed. An account has at most 100 devices.',
  authentication: 'required',
  parameters: {
    token_kind: required(Type.Union([Type.Literal('apns'), Type.Literal('fcm')]), { saysWhy: true }),
    push_account_id: required(pushAccountId, {
      description: 'A random number that the client chooses for the account',
    }),
    push_public_key: optional(text({ maxLength: 200 }), {
      description:
        'The X25519 public key of the device in Base64. The server encrypts notifications as sealed boxes (`crypto_box_seal` of libsodium). Required without `push_key`.',
    }),
    push_key: optional(text({ maxLength: 200 }), {
      description:
        'The key of newer clients in Base64: the byte 0x31 and 32 bytes. The server encrypts notifications with `crypto_secretbox_easy` of libsodium, nonce first.',
    }),
    bouncer_public_key: required(text({ maxLength: 1000 }), {
      description: 'The public key that encrypts the registration',
    }),
    encrypted_push_registration: required(text(), { description: 'Only the push service can decrypt it' }),
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
    push_account_id: optional(pushAccountId, { description: 'The default is all devices of the caller' }),
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
  summary: 'Send an unencrypted test notification',
  authentication: 'required',
  deprecated: true,
  parameters: { token: optional(token, { description: 'The default is all tokens of the caller' }) },
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
  description: 'An account has at most 100 tokens. Another token replaces the oldest one.',
  authentication: 'required',
  deprecated: true,
  parameters: {
    token: required(token, { description: 'Hexadecimal' }),
    appid: required(text({ maxLength: 200 }), { description: 'The bundle ID of the app' }),
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
  description: 'An account has at most 100 devices. Another device replaces the oldest one.',
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
