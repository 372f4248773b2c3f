import type { bot as botSchema } from '@heddle/api/objects/bot.ts';
import type { Static } from 'typebox';
import { administratorsAudience, botAudience } from '../../../access/bots.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { BotSettings, UserRecord } from '../../../directory/records.ts';
import { Role } from '../../../directory/records.ts';
import { type AppContext, oncePerApp } from '../../../extension/app-context.ts';
import type { Audience, NewEvent } from '../../../log/event.ts';
import { ApiKeys, serviceTokenFor } from '../../credentials/api-keys.ts';
import { avatarOf } from '../users/avatars.ts';

export type WireBot = Static<typeof botSchema>;

/** The names of the bot's channels at the time of the event. */
export interface ChannelNames {
  readonly sending: string | null;
  readonly events: string | null;
}

/**
 * The bodies of `realm_bot` events in the log. They contain records without keys: the presenter derives the key for
 * each reader.
 */
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

/** The bot's settings. Older bots have none stored. */
export function settingsOf(bot: UserRecord): BotSettings {
  return bot.bot ?? NO_SETTINGS;
}

/** The current names of the channels. */
export function channelNamesOf(directory: Directory, bot: UserRecord): ChannelNames {
  const nameOf = (id: number | null) => (id === null ? null : (directory.channel(id)?.name ?? null));
  const { sendingChannelId, eventsChannelId } = settingsOf(bot);
  return { sending: nameOf(sendingChannelId), events: nameOf(eventsChannelId) };
}

/** A bot's channels with the API's field names. */
export function presentChannels({ sending, events }: ChannelNames, bot: UserRecord) {
  return {
    default_sending_stream: sending,
    default_events_register_stream: events,
    default_all_public_streams: settingsOf(bot).allPublicChannels,
  };
}

/** Derives each key once, since administrators get those of all bots. */
export const apiKeysOf = oncePerApp((app: Pick<AppContext, 'secret'>) => new ApiKeys(app.secret));

/** A bot as its owner sees it (public reference: `realm_bots` of `POST /register`, at this feature level). */
export function presentBot(
  app: Pick<AppContext, 'secret'>,
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
    api_key: apiKeysOf(app).of(directory.organization.id, bot),
    avatar_url: avatarOf(directory, bot).url,
    owner_id: bot.botOwnerId,
    ...presentChannels(names, bot),
    services: presentServices(app, directory, bot),
  };
}

export function presentServices(
  { secret }: Pick<AppContext, 'secret'>,
  directory: Directory,
  bot: UserRecord,
): WireBot['services'] {
  const { service } = settingsOf(bot);
  if (service === undefined) return [];
  const token = serviceTokenFor(secret, directory.organization.id, bot.id, service.tokenVersion ?? 0);
  return [{ base_url: service.url, interface: service.interface, token }];
}

/** The event that adds the bot for its audience. */
export function botAdded(directory: Directory, bot: UserRecord, audience = botAudience(directory, bot)): NewEvent {
  return botEvent(audience, { op: 'add', bot, names: channelNamesOf(directory, bot) });
}

/** The event that updates the bot. */
export function botUpdated(
  directory: Directory,
  bot: UserRecord,
  changed: readonly (keyof WireBot)[],
  audience = botAudience(directory, bot),
): NewEvent {
  return botEvent(audience, { op: 'update', bot, names: channelNamesOf(directory, bot), changed });
}

/**
 * The events for a bot with another owner and another key. Clients of the former owner remove the bot, and those of the
 * new owner add it. Administrators get the update.
 */
export function botHandedOver(directory: Directory, before: UserRecord, bot: UserRecord): readonly NewEvent[] {
  const isMember = (id: number | null) => id !== null && (directory.user(id)?.role ?? 0) > Role.administrator;
  const events: NewEvent[] = [];
  if (before.botOwnerId !== null && isMember(before.botOwnerId)) {
    events.push(botEvent({ to: 'users', users: [before.botOwnerId] }, { op: 'delete', userId: bot.id }));
  }
  if (bot.botOwnerId !== null && isMember(bot.botOwnerId)) {
    events.push(botAdded(directory, bot, { to: 'users', users: [bot.botOwnerId] }));
  }
  const changed: (keyof WireBot)[] = ['owner_id', 'api_key', ...(settingsOf(bot).service ? ['services' as const] : [])];
  const administrators = administratorsAudience(directory);
  return [...events, ...changed.map((name) => botUpdated(directory, bot, [name], administrators))];
}

function botEvent(audience: Audience, body: BotEvent): NewEvent {
  return { type: 'realm_bot', audience, body };
}
