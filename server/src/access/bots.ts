/** Who may create bots, and who may manage which bot (public reference: "Bots overview", "Restrict bot creation"). */
import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../directory/directory.ts';
import { BotType, type ChannelRecord, Role, SystemGroup, type UserRecord } from '../directory/records.ts';
import type { Audience } from '../log/event.ts';
import { contentAccess } from './channels.ts';
import { hasPermission } from './organization-settings.ts';
import { peopleOnlyRefusal } from './people.ts';

/** Returns why the user may not create a bot of this type; undefined if they may. */
export function botCreationRefusal(directory: Directory, user: UserRecord, botType: number): ApiError | undefined {
  return peopleOnlyRefusal(user) ?? botPermissionRefusal(directory, user, botType);
}

/** Returns why the user may have no further bot of this type; undefined if they may. */
export function botPermissionRefusal(
  directory: Directory,
  user: UserRecord,
  botType: number | null,
): ApiError | undefined {
  if (hasPermission(directory, user, 'can_create_bots_group')) return undefined;
  const onlyWrites = botType === BotType.incomingWebhook;
  if (onlyWrites && hasPermission(directory, user, 'can_create_write_only_bots_group')) return undefined;
  return badRequest('Insufficient permission');
}

/** Whether the user may manage the bot: its owner and administrators may. */
export function administersBot(user: UserRecord, bot: UserRecord): boolean {
  return bot.botOwnerId === user.id || user.role <= Role.administrator;
}

/**
 * Returns the bot with this id, active or not, if the user may manage it.
 * @throws ApiError `BAD_REQUEST`
 */
export function accessBot(directory: Directory, user: UserRecord, botId: number): UserRecord {
  const bot = directory.user(botId);
  if (bot === undefined || !bot.isBot) throw badRequest('No such bot');
  if (!administersBot(user, bot)) throw badRequest('Insufficient permission');
  return bot;
}

/**
 * Returns the generic bots among these users that may read the whole channel. As in the reference, a mention by name
 * reaches such a bot without a subscription, in any channel that it may read.
 */
export function botsThatMayRead(directory: Directory, userIds: readonly number[], channel: ChannelRecord): number[] {
  return userIds.filter((userId) => {
    const user = directory.user(userId);
    if (user === undefined || !user.isActive || user.botType !== BotType.generic) return false;
    return contentAccess(directory, user, channel) === 'all';
  });
}

/** The account that limits count a user's work for. A bot counts as its owner. */
export function accountOf(user: UserRecord): number {
  return user.botOwnerId ?? user.id;
}

/** The users who may manage the bot. */
export function botAudience(directory: Directory, bot: UserRecord): Audience {
  const administrators = administratorsAudience(directory);
  if (bot.botOwnerId === null) return administrators;
  return { to: 'any', of: [{ to: 'users', users: [bot.botOwnerId] }, administrators] };
}

export function administratorsAudience(directory: Directory): Audience {
  return { to: 'group', groupId: directory.groups.idOf(SystemGroup.administrators) };
}
