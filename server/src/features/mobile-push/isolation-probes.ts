import * as endpoints from '@heddle/api/endpoints/mobile-push.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ member }) => {
  const token = 'feed'.repeat(16);
  await member.ok('POST', '/users/me/apns_device_token', { token, appid: 'org.example.App' });
  await member.ok('POST', '/users/me/android_gcm_reg_id', { token });
  const { device_id } = await member.ok('POST', '/register_client_device');
  return [
    // Numbers and keys of the caller.
    probesOf(endpoints.registerPushDevice, {
      contained: [{ push_account_id: '1' }],
      harmless: ['token_kind', 'push_public_key', 'push_key', 'bouncer_public_key', 'encrypted_push_registration'],
    }),
    probesOf(endpoints.sendEncryptedTest, { refused: [{}, { push_account_id: '1' }] }),
    probesOf(endpoints.sendTest, { refused: [{ token }] }),
    probesOf(endpoints.addApnsToken, { contained: [{ token }], harmless: ['appid'] }),
    probesOf(endpoints.addFcmToken, { contained: [{ token: 'another' }] }),
    probesOf(endpoints.removeApnsToken, { refused: [{ token }] }),
    probesOf(endpoints.removeFcmToken, { refused: [{ token }] }),
    probesOf(endpoints.registerClientDevice, { contained: [{}] }),
    probesOf(endpoints.removeClientDevice, { refused: [{ device_id }] }),
  ];
};
