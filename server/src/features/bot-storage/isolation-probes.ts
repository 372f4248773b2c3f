import * as endpoints from '@heddle/api/endpoints/bot-storage.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  await owner.ok('PUT', '/bot_storage', { storage: { memory: secret('memory') } });
  const keys = ['memory'];
  return [
    probesOf(endpoints.getBotStorage, { contained: [{}], refused: [{ keys }] }),
    probesOf(endpoints.updateBotStorage, { contained: [{ storage: { thought: 'mine' } }] }),
    probesOf(endpoints.removeBotStorage, { contained: [{}], refused: [{ keys }] }),
  ];
};
