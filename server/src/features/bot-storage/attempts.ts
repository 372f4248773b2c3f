import * as endpoints from '@heddle/api/endpoints/bot-storage.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, secret }) => {
  await owner.ok('PUT', '/bot_storage', { storage: { memory: secret('memory') } });
  const keys = ['memory'];
  return [
    attemptsOn(endpoints.getBotStorage, { contained: [{}], refused: [{ keys }] }),
    attemptsOn(endpoints.updateBotStorage, { contained: [{ storage: { thought: 'mine' } }] }),
    attemptsOn(endpoints.removeBotStorage, { contained: [{}], refused: [{ keys }] }),
  ];
};
