import * as endpoints from '@heddle/api/endpoints/mobile-push.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ member }) => {
  const token = 'feed'.repeat(16);
  await member.ok('POST', '/users/me/apns_device_token', { token, appid: 'org.example.App' });
  await member.ok('POST', '/users/me/android_gcm_reg_id', { token });
  const { device_id } = await member.ok('POST', '/register_client_device');
  return [
    // Numbers and keys of the caller.
    attemptsOn(endpoints.registerPushDevice, {
      contained: [{ push_account_id: '1' }],
      harmless: ['token_kind', 'push_public_key', 'push_key', 'bouncer_public_key', 'encrypted_push_registration'],
    }),
    attemptsOn(endpoints.sendEncryptedTest, { refused: [{}, { push_account_id: '1' }] }),
    attemptsOn(endpoints.sendTest, { refused: [{ token }] }),
    attemptsOn(endpoints.addApnsToken, { contained: [{ token }], harmless: ['appid'] }),
    attemptsOn(endpoints.addFcmToken, { contained: [{ token: 'another' }] }),
    attemptsOn(endpoints.removeApnsToken, { refused: [{ token }] }),
    attemptsOn(endpoints.removeFcmToken, { refused: [{ token }] }),
    attemptsOn(endpoints.registerClientDevice, { contained: [{}] }),
    attemptsOn(endpoints.removeClientDevice, { refused: [{ device_id }] }),
  ];
};
