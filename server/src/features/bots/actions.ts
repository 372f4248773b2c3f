import { badRequest } from '@heddle/api/errors.ts';
import { accessBot, botCreationRefusal } from '../../access/bots.ts';
import { roleRefusal } from '../../access/setting-changes.ts';
import type { Directory } from '../../directory/directory.ts';
import { userRecord } from '../../directory/load.ts';
import type { Change } from '../../directory/organization.ts';
import { type BotSettings, Role, type UserRecord } from '../../directory/records.ts';
import { announceNewUser, giveRole } from '../../domain/accounts/accounts/actions.ts';
import { giveBot } from '../../domain/accounts/accounts/bot-owner.ts';
import { changeAccount } from '../../domain/accounts/accounts/changes.ts';
import { setAvatar } from '../../domain/accounts/avatars/actions.ts';
import type { AvatarPictures } from '../../domain/accounts/avatars/drawing.ts';
import { renewKey } from '../../domain/credentials/own-key.ts';
import { OUTGOING_WEBHOOKS } from '../../domain/users/bots/outgoing-webhooks.ts';
import { botAdded, botUpdated, settingsOf, type WireBot } from '../../domain/users/bots/present.ts';
import { settingsOfNewAccounts } from '../../domain/users/user-settings/queries.ts';
import { addCursor } from '../../log/consumer.ts';
import {
  type CreateParameters,
  changedService,
  channelNamed,
  checkBotType,
  checkedBotName,
  checkNoConfiguration,
  newBotAddress,
  newService,
  type UpdateParameters,
} from './requests.ts';
import { botsByOwner } from './state.ts';

/** Bots of one owner, including deactivated ones: every list of users contains them. */
const MAX_BOTS_PER_OWNER = 250;

/** A request with its picture. */
export interface WithPicture<Parameters> {
  readonly parameters: Parameters;
  /** The converted picture; undefined if none was sent. */
  readonly pictures: AvatarPictures | undefined;
}

/**
 * The checks before a picture is decoded. The transaction repeats them.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkNewBot(directory: Directory, owner: UserRecord, parameters: CreateParameters, host: string) {
  checkBotType(parameters);
  const refusal = botCreationRefusal(directory, owner, parameters.bot_type);
  if (refusal !== undefined) throw refusal;
  checkCount(directory, owner.id);
  return {
    fullName: checkedBotName(directory, parameters.full_name),
    email: newBotAddress(directory, parameters.short_name, host),
    sendingChannelId: channelNamed(directory, owner, parameters.default_sending_stream) ?? null,
    eventsChannelId: channelNamed(directory, owner, parameters.default_events_register_stream) ?? null,
    service: newService(parameters),
  };
}

function checkCount(directory: Directory, ownerId: number): void {
  const count = botsByOwner(directory).get(ownerId)?.length ?? 0;
  if (count >= MAX_BOTS_PER_OWNER) throw badRequest(`Too many bots (limit: ${MAX_BOTS_PER_OWNER})`);
}

/**
 * Creates a bot of the caller and announces it. It is subscribed to nothing.
 * @param host the host of the organization
 * @throws ApiError `BAD_REQUEST`
 */
export async function createBot(
  change: Change,
  owner: UserRecord,
  { parameters, pictures }: WithPicture<CreateParameters>,
  host: string,
): Promise<UserRecord> {
  const { db, directory, append } = change;
  const { sendingChannelId, eventsChannelId, service, ...checked } = checkNewBot(directory, owner, parameters, host);
  const settings: BotSettings = {
    sendingChannelId,
    eventsChannelId,
    allPublicChannels: parameters.default_all_public_streams,
    ...(service !== undefined && { service }),
  };
  const row = await db
    .insertInto('users')
    .values({
      organization_id: directory.organization.id,
      email: checked.email,
      delivery_email: checked.email,
      full_name: checked.fullName,
      role: Role.member,
      is_bot: true,
      bot_type: parameters.bot_type,
      bot_owner_id: owner.id,
      bot_settings: settings,
      password_hash: null,
      own_settings: settingsOfNewAccounts(directory),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const added = userRecord(row);
  announceNewUser(change, added);
  append(botAdded(directory, added));
  if (service !== undefined) await addCursor(db, directory.organization.id, OUTGOING_WEBHOOKS);
  return pictures === undefined ? added : setAvatar(change, added, pictures);
}

/**
 * Changes a bot and announces the changes.
 * @throws ApiError `BAD_REQUEST`, `UNAUTHORIZED_PRINCIPAL`; then nothing is changed
 */
export async function updateBot(
  change: Change,
  caller: UserRecord,
  { parameters, pictures }: WithPicture<UpdateParameters>,
): Promise<UserRecord> {
  const { directory } = change;
  let bot = accessBot(directory, caller, parameters.bot_id);
  checkNoConfiguration(parameters);
  if (parameters.role !== undefined && parameters.role !== bot.role)
    bot = await changeRole(change, caller, bot, parameters.role);
  if (parameters.full_name !== undefined) bot = await rename(change, bot, parameters.full_name);
  bot = await changeSettings(change, caller, bot, parameters);
  // After the settings: the former owner must not name a service for the new owner's bot.
  if (parameters.bot_owner_id !== undefined) bot = await handOver(change, caller, bot, parameters.bot_owner_id);
  return pictures === undefined ? bot : setAvatar(change, bot, pictures);
}

async function changeRole(change: Change, caller: UserRecord, bot: UserRecord, role: Role): Promise<UserRecord> {
  const refusal = roleRefusal(caller, 'administrator');
  if (refusal !== undefined) throw refusal;
  return giveRole(change, bot.id, role);
}

async function rename(change: Change, bot: UserRecord, given: string): Promise<UserRecord> {
  const { directory, append } = change;
  if (given.trim() === bot.fullName) return bot;
  const renamed = { ...bot, fullName: checkedBotName(directory, given, bot.id) };
  await changeAccount(change, renamed, { op: 'full-name', userId: bot.id, fullName: renamed.fullName });
  append(botUpdated(directory, renamed, ['full_name']));
  return renamed;
}

async function handOver(change: Change, caller: UserRecord, bot: UserRecord, ownerId: number): Promise<UserRecord> {
  const { directory } = change;
  const owner = directory.user(ownerId);
  if (owner === undefined) throw badRequest('Failed to change owner, no such user');
  if (!owner.isActive) throw badRequest('Failed to change owner, user is deactivated');
  if (owner.isBot) throw badRequest("Failed to change owner, bots can't own other bots");
  if (owner.id === bot.botOwnerId) return bot;
  checkCount(directory, owner.id);
  // Otherwise the former owner's service would continue to reply as the bot. An administrator may keep it.
  return giveBot(change, caller.role <= Role.administrator ? bot : withoutService(bot), owner);
}

/**
 * Takes the bots of an account from its former holder, who knows their keys and chose their services. The caller removes the
 * queues after the commit.
 */
export async function takeBots(change: Change, holder: UserRecord): Promise<void> {
  const bots = botsByOwner(change.directory).get(holder.id) ?? [];
  for (const bot of bots) await giveBot(change, withoutService(bot), holder);
}

function withoutService(bot: UserRecord): UserRecord {
  const service = bot.bot?.service;
  return service === undefined ? bot : { ...bot, bot: { ...settingsOf(bot), service: { ...service, url: '' } } };
}

async function changeSettings(
  change: Change,
  caller: UserRecord,
  bot: UserRecord,
  parameters: UpdateParameters,
): Promise<UserRecord> {
  const { directory, append } = change;
  const { sendingChannelId, eventsChannelId, allPublicChannels, service } = settingsOf(bot);
  const sending = channelNamed(directory, caller, parameters.default_sending_stream);
  const events = channelNamed(directory, caller, parameters.default_events_register_stream);
  const all = parameters.default_all_public_streams;
  const newlyServed = changedService(service, parameters);
  const changed: (keyof WireBot)[] = [];
  if (sending !== undefined && sending !== sendingChannelId) changed.push('default_sending_stream');
  if (events !== undefined && events !== eventsChannelId) changed.push('default_events_register_stream');
  if (all !== undefined && all !== allPublicChannels) changed.push('default_all_public_streams');
  if (newlyServed !== undefined) changed.push('services');
  if (changed.length === 0) return bot;
  const settings: BotSettings = {
    sendingChannelId: sending === undefined ? sendingChannelId : sending,
    eventsChannelId: events === undefined ? eventsChannelId : events,
    allPublicChannels: all ?? allPublicChannels,
    ...(service !== undefined && { service: newlyServed ?? service }),
  };
  const after = { ...bot, bot: settings };
  await changeAccount(change, after);
  append(botUpdated(directory, after, changed));
  return after;
}

/**
 * Gives a bot a new API key, which invalidates the old one. Remove its queues after the commit.
 * @throws ApiError `BAD_REQUEST`
 */
export async function regenerateKey(change: Change, caller: UserRecord, botId: number): Promise<UserRecord> {
  const { directory, append } = change;
  const bot = accessBot(directory, caller, botId);
  const after = await renewKey(change, bot);
  append(botUpdated(directory, after, ['api_key']));
  return after;
}
