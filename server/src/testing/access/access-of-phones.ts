/** Access rows for phones and their notifications. */
import { generateKeyPairSync } from 'node:crypto';
import * as push from '@heddle/api/endpoints/mobile-push.ts';
import type { Fields, TestClient } from '../clients/client.ts';
import { type AccessRow, row } from './access-row.ts';
import type { Scene } from './access-scene.ts';

/** A push service that does not respond: requests to it are retried later. */
export const ABSENT_PUSH_SERVICE = {
  HEDDLE_PUSH_URL: 'http://127.0.0.1:9',
  HEDDLE_PUSH_ID: 'nobody',
  HEDDLE_PUSH_KEY: 'nothing',
};

export const OF_PHONES: readonly AccessRow[] = [
  row(push.registerPushDevice, 'always', '+++++b uuxu', () => registration()),
  row(push.sendEncryptedTest, 'without a device', 'dddddb uuxu'),
  row(push.sendTest, 'with a token that they do not have', 'ooooob uuxu', () => ({ token: token() })),
  row(push.sendTest, 'without a token', '+++++b uuxu'),
  row(push.addApnsToken, 'always', '+++++b uuxu', () => ({ token: token(), appid: 'org.example.App' })),
  row(push.removeApnsToken, 'an own one', '+++++b uuxu', ({ self }) => apnsTokenOf(self)),
  row(push.removeApnsToken, "somebody else's", 'bbbbbb uuxu', ({ colleague }) => apnsTokenOf(colleague)),
  row(push.addFcmToken, 'always', '+++++b uuxu', () => ({ token: token() })),
  row(push.removeFcmToken, 'an own one', '+++++b uuxu', ({ self }) => fcmTokenOf(self)),
  row(push.removeFcmToken, "somebody else's", 'bbbbbb uuxu', ({ colleague }) => fcmTokenOf(colleague)),
  row(push.registerClientDevice, 'always', '+++++b uuxu'),
  row(push.removeClientDevice, 'an own one', '+++++b uuxu', ({ self }) => deviceOf(self)),
  row(push.removeClientDevice, "somebody else's", 'bbbbbb uuxu', ({ colleague }) => deviceOf(colleague)),
];

let made = 0;

function token(): string {
  made += 1;
  return made.toString(16).padStart(64, '0');
}

function registration(): Fields {
  made += 1;
  const { publicKey } = generateKeyPairSync('x25519');
  return {
    token_kind: 'fcm',
    push_account_id: made,
    push_public_key: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'),
    bouncer_public_key: 'a key',
    encrypted_push_registration: 'encrypted',
  };
}

/** Bots have no tokens, so this registers none for them. */
async function apnsTokenOf(user: Scene['self']): Promise<Fields> {
  const added = { token: token(), appid: 'org.example.App' };
  await user.call('POST', '/users/me/apns_device_token', added);
  return { token: added.token };
}

async function fcmTokenOf(user: TestClient): Promise<Fields> {
  const added = { token: token() };
  await user.call('POST', '/users/me/android_gcm_reg_id', added);
  return added;
}

async function deviceOf(user: TestClient): Promise<Fields> {
  const { body } = await user.call('POST', '/register_client_device');
  return { device_id: body.device_id ?? 0 };
}
