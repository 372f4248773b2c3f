import type { bot as botSchema } from '@heddle/api/objects/bot.ts';
import type { Static } from 'typebox';
import { administratorsAudience, botAudience } from '../../access/bots.ts';
import type { Directory } from '../../directory/directory.ts';
import type { BotSettings, UserRecord } from '../../directory/records.ts';
import { Role } from '../../directory/records.ts';
import type { Audience, NewEvent } from '../../log/event.ts';
import { ApiKeys, serviceTokenFor } from '../authentication/actions.ts';
import { oncePerRooms, type Rooms } from '../rooms.ts';
import { avatarOf } from '../users/queries.ts';

export type WireBot = Static<typeof botSchema>;

/** Channels by the names that they had. */
export interface ChannelNames {
  readonly sending: string | null;
  readonly events: string | null;
}

/** What `realm_bot` events carry in the log: records, since keys are in no table and are worked out for each reader anew. */
export type BotEvent =
  | { readonly op: 'add'; readonly bot: UserRecord; readonly names: ChannelNames }
  | {
      readonly op: 'update';
      readonly bot: UserRecord;
      readonly names: ChannelNames;
      readonly changed: readonly (keyof WireBot)[];
    }
  | { readonly op: 'delete'; readonly userId: number };

const NO_SETTINGS: BotSettings = { sendingChannelId: null, eventsChannelId: null, allPublicChannels: false };

/** What was decided of the bot; older ones have nothing of it. */
export function settingsOf(bot: UserRecord): BotSettings {
  return bot.bot ?? NO_SETTINGS;
}

/** As the channels are called now. */
export function channelNamesOf(directory: Directory, bot: UserRecord): ChannelNames {
  const nameOf = (id: number | null) => (id === null ? null : (directory.channel(id)?.name ?? null));
  const { sendingChannelId, eventsChannelId } = settingsOf(bot);
  return { sending: nameOf(sendingChannelId), events: nameOf(eventsChannelId) };
}

/** Tells of a bot's channels in the wire's names. */
export function presentChannels({ sending, events }: ChannelNames, bot: UserRecord) {
  return {
    default_sending_stream: sending,
    default_events_register_stream: events,
    default_all_public_streams: settingsOf(bot).allPublicChannels,
  };
}

/** Of all bots that an administrator is told of: each key is worked out once. */
export const apiKeysOf = oncePerRooms((rooms: Pick<Rooms, 'secret'>) => new ApiKeys(rooms.secret));

/** A bot as whoever runs it is told of it (public reference: `realm_bots` of `POST /register`, at this feature level). */
export function presentBot(
  rooms: Pick<Rooms, 'secret'>,
  directory: Directory,
  bot: UserRecord,
  names: ChannelNames,
): WireBot {
  return {
    user_id: bot.id,
    email: bot.email,
    full_name: bot.fullName,
    bot_type: bot.botType,
    is_active: bot.isActive,
    api_key: apiKeysOf(rooms).of(directory.organization.id, bot),
    avatar_url: avatarOf(directory, bot).url,
    owner_id: bot.botOwnerId,
    ...presentChannels(names, bot),
    services: presentServices(rooms, directory, bot),
  };
}

export function presentServices(
  { secret }: Pick<Rooms, 'secret'>,
  directory: Directory,
  bot: UserRecord,
): WireBot['services'] {
  const { service } = settingsOf(bot);
  if (service === undefined) return [];
  const token = serviceTokenFor(secret, directory.organization.id, bot.id);
  return [{ base_url: service.url, interface: service.interface, token }];
}

/** The bot is new to those who hear it. */
export function botAdded(directory: Directory, bot: UserRecord, audience = botAudience(directory, bot)): NewEvent {
  return botEvent(audience, { op: 'add', bot, names: channelNamesOf(directory, bot) });
}

/** Something of the bot has changed. */
export function botUpdated(
  directory: Directory,
  bot: UserRecord,
  changed: readonly (keyof WireBot)[],
  audience = botAudience(directory, bot),
): NewEvent {
  return botEvent(audience, { op: 'update', bot, names: channelNamesOf(directory, bot), changed });
}

/** The bot belongs to somebody else: who does not run it any more loses it, who does gets it, and administrators hear whose it is. */
export function botHandedOver(directory: Directory, before: UserRecord, bot: UserRecord): readonly NewEvent[] {
  const isMember = (id: number | null) => id !== null && (directory.user(id)?.role ?? 0) > Role.administrator;
  const events: NewEvent[] = [];
  if (before.botOwnerId !== null && isMember(before.botOwnerId)) {
    events.push(botEvent({ to: 'users', users: [before.botOwnerId] }, { op: 'delete', userId: bot.id }));
  }
  if (bot.botOwnerId !== null && isMember(bot.botOwnerId)) {
    events.push(botAdded(directory, bot, { to: 'users', users: [bot.botOwnerId] }));
  }
  return [...events, botUpdated(directory, bot, ['owner_id'], administratorsAudience(directory))];
}

function botEvent(audience: Audience, body: BotEvent): NewEvent {
  return { type: 'realm_bot', audience, body };
}
