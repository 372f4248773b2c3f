import * as endpoints from '@heddle/api/endpoints/web-push.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async () => [
  // Only sessions have subscriptions. For those of another organization and account see web-push.test.ts.
  probesOf(endpoints.subscribeToWebPush, {
    refused: [{ endpoint: 'https://push.example.com/1' }],
    harmless: ['p256dh', 'auth', 'shows_text'],
  }),
  probesOf(endpoints.unsubscribeFromWebPush, { refused: [{}] }),
  probesOf(endpoints.getWebPushDevices, { contained: [{}] }),
  probesOf(endpoints.removeWebPushDevice, { refused: [{ device_id: 1 }] }),
];
