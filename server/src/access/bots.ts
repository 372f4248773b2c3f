/** Who may make bots, and who may run which (public reference: "Bots overview", "Restrict bot creation"). */
import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../directory/directory.ts';
import { BotType, Role, SystemGroup, type UserRecord } from '../directory/records.ts';
import type { Audience } from '../log/event.ts';
import { hasPermission } from './organization-settings.ts';
import { peopleOnlyRefusal } from './people.ts';

/** Why the user may not make a bot of this kind; undefined where they may. */
export function botCreationRefusal(directory: Directory, user: UserRecord, botType: number): ApiError | undefined {
  const refusal = peopleOnlyRefusal(user);
  if (refusal !== undefined) return refusal;
  if (hasPermission(directory, user, 'can_create_bots_group')) return undefined;
  const onlyWrites = botType === BotType.incomingWebhook;
  if (onlyWrites && hasPermission(directory, user, 'can_create_write_only_bots_group')) return undefined;
  return badRequest('Insufficient permission');
}

/** Its owner, and administrators. */
export function administersBot(user: UserRecord, bot: UserRecord): boolean {
  return bot.botOwnerId === user.id || user.role <= Role.administrator;
}

/**
 * The bot with this id, active or not, if the user may run it.
 * @throws ApiError `BAD_REQUEST`
 */
export function accessBot(directory: Directory, user: UserRecord, botId: number): UserRecord {
  const bot = directory.user(botId);
  if (bot === undefined || !bot.isBot) throw badRequest('No such bot');
  if (!administersBot(user, bot)) throw badRequest('Insufficient permission');
  return bot;
}

/** The account as whose a user's work counts where accounts take turns: a bot counts as its owner. */
export function accountOf(user: UserRecord): number {
  return user.botOwnerId ?? user.id;
}

/** Those who run the bot. */
export function botAudience(directory: Directory, bot: UserRecord): Audience {
  const administrators = administratorsAudience(directory);
  if (bot.botOwnerId === null) return administrators;
  return { to: 'any', of: [{ to: 'users', users: [bot.botOwnerId] }, administrators] };
}

export function administratorsAudience(directory: Directory): Audience {
  return { to: 'group', groupId: directory.groups.idOf(SystemGroup.administrators) };
}
