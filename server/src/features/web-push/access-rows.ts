import * as push from '@heddle/api/endpoints/web-push.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

// Callers of the matrix have an API key and no session. The tests of the feature call with sessions.
const SUBSCRIPTION = { endpoint: 'https://push.example.com/1', p256dh: 'a key', auth: 'a secret' };

export const rows: readonly AccessRow[] = [
  row(push.subscribeToWebPush, 'without a session', 'bbbbbb uuxu', () => SUBSCRIPTION),
  row(push.unsubscribeFromWebPush, 'without a session', 'bbbbbb uuxu'),
  row(push.getWebPushDevices, 'always', '++++++ uuxu'),
  row(push.removeWebPushDevice, 'one that the caller does not have', 'nnnnnn uuxu', () => ({ device_id: 1 })),
];
