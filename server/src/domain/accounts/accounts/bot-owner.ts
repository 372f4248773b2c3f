import type { Change } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { renewKey } from '../../credentials/own-key.ts';
import { botHandedOver, settingsOf } from '../../users/bots/present.ts';
import { changeAccount } from './changes.ts';

/**
 * Transfers a bot to another owner. The former owner knows its API key and its service token, so the bot gets new ones.
 * What its program scheduled is deleted. The caller removes the bot's queues after the commit.
 */
export async function giveBot(change: Change, bot: UserRecord, owner: UserRecord): Promise<UserRecord> {
  const { directory, append, hooks } = change;
  const given = { ...withNewToken(bot), botOwnerId: owner.id };
  await changeAccount(change, given, { op: 'bot-owner', userId: bot.id, ownerId: owner.id });
  const renewed = await renewKey(change, given);
  await hooks.holderChanged(change, bot);
  for (const event of botHandedOver(directory, bot, renewed)) append(event);
  return renewed;
}

function withNewToken(bot: UserRecord): UserRecord {
  const service = bot.bot?.service;
  if (service === undefined) return bot;
  return {
    ...bot,
    bot: { ...settingsOf(bot), service: { ...service, tokenVersion: (service.tokenVersion ?? 0) + 1 } },
  };
}
