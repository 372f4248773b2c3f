/** Validates requests about bots and converts them to our terms. */
import { isIP } from 'node:net';
import type { Parameters } from '@heddle/api/contract.ts';
import type { createBot, updateBot } from '@heddle/api/endpoints/bots.ts';
import { badRequest, invalidValue } from '@heddle/api/errors.ts';
import { accessChannel } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import { type BotService, BotType, ServiceInterface, type UserRecord } from '../../directory/records.ts';
import { freeFullName, isBotNameTaken } from '../../domain/users/users/free-names.ts';
import { checkedEmail } from '../../domain/users/users/names.ts';

export type CreateParameters = Parameters<typeof createBot>;
export type UpdateParameters = Parameters<typeof updateBot>;

/** The local part of an address, unquoted. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const MAX_LOCAL_PART_LENGTH = 64;

/**
 * The address of a bot with this name.
 * @param host the host of the organization
 * @throws ApiError `BAD_REQUEST`: it is no valid address, or another account has it
 */
export function newBotAddress(directory: Directory, shortName: string, host: string): string {
  const name = `${shortName.trim()}-bot`;
  if (shortName.trim() === '' || !LOCAL_PART.test(name) || name.length > MAX_LOCAL_PART_LENGTH) {
    throw badRequest('Bad name or username');
  }
  const email = checkedEmail(`${name}@${host}`);
  if (directory.correspondentByEmail(email) !== undefined) throw badRequest('Username already in use');
  return email;
}

/**
 * The name as it is stored. No other active account may have it.
 * @param own the bot that gets the name; undefined for a new one
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedBotName(directory: Directory, given: string, own?: number): string {
  const name = freeFullName(directory, given, own);
  if (isBotNameTaken(directory, name, own)) throw badRequest('Name is already in use.');
  return name;
}

/**
 * Refuses kinds of bots that this server cannot run, and their parameters.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkBotType(parameters: CreateParameters): void {
  const { bot_type: type, service_name: service } = parameters;
  const types: readonly number[] = Object.values(BotType);
  if (!types.includes(type)) throw badRequest(KINDS_OF_OTHERS[type] ?? 'Invalid bot type');
  if (type === BotType.incomingWebhook && service) throw badRequest(`Invalid integration '${service}'.`);
  checkNoConfiguration(parameters);
}

/** Kinds of bots that clients know and this server does not have. */
const KINDS_OF_OTHERS: Readonly<Record<number, string>> = { 4: 'Embedded bots are not enabled.' };

/**
 * The service of a new bot; undefined for bots without one.
 * @throws ApiError `BAD_REQUEST`
 */
export function newService(parameters: CreateParameters): BotService | undefined {
  const { bot_type: type, short_name: shortName, service_name: name, payload_url: url } = parameters;
  const checked = {
    url: url === undefined ? '' : checkedUrl('payload_url', url),
    interface: checkedInterface(parameters.interface_type),
  };
  return type === BotType.outgoingWebhook ? { name: name || shortName.trim(), ...checked } : undefined;
}

/**
 * The new service of a bot; undefined if it does not change.
 * @throws ApiError `BAD_REQUEST`, also if the bot is of another kind
 */
export function changedService(
  service: BotService | undefined,
  { service_payload_url: url, service_interface: kind }: UpdateParameters,
): BotService | undefined {
  if (url === undefined && kind === undefined) return undefined;
  const changed = {
    ...(url !== undefined && { url: checkedUrl('service_payload_url', url) }),
    ...(kind !== undefined && { interface: checkedInterface(kind) }),
  };
  if (service === undefined) throw badRequest('Only outgoing webhook bots have a service.');
  const after = { ...service, ...changed };
  return after.url === service.url && after.interface === service.interface ? undefined : after;
}

function checkedInterface(given: number): ServiceInterface {
  const known = Object.values(ServiceInterface).find((one) => one === given);
  if (known === undefined) throw badRequest('Invalid interface type');
  return known;
}

/** Characters, as in the reference. */
const MAX_SERVICE_URL_LENGTH = 2048;

/**
 * Clients send the address as JSON, and some programs send it bare. Where it leads is checked at each request (outbound/networks.ts),
 * because a name may lead elsewhere by then.
 */
export function checkedUrl(parameter: string, given: string): string {
  const text = given.startsWith('"') ? quoted(given) : given;
  if (text !== undefined && text.length <= MAX_SERVICE_URL_LENGTH && isUrl(text)) return text;
  throw invalidValue(parameter, 'Not a URL');
}

function quoted(given: string): string | undefined {
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

const WRITTEN_HOST = /^https?:\/\/(?:[^\s/?#@]*@)?(\[[^\]\s]+\]|[^\s:/?#@[\]]+)(?::\d+)?(?:[/?#]\S*)?$/i;

/** An address in an unusual notation, such as `http://0x7f.1`, is refused. */
function isUrl(text: string): boolean {
  const host = WRITTEN_HOST.exec(text)?.[1];
  const url = URL.parse(text);
  if (host === undefined || url === null || !/^https?:$/.test(url.protocol)) return false;
  return isIP(url.hostname) === 0 || url.hostname === host;
}

/** @throws ApiError `BAD_REQUEST`: no kind of bot here has a configuration */
export function checkNoConfiguration({ config_data: data }: Pick<UpdateParameters, 'config_data'>): void {
  if (data !== undefined && Object.keys(data).length > 0) throw badRequest('Invalid configuration data!');
}

/**
 * The id of the named channel; null for an empty name, undefined for no name.
 * @throws ApiError `BAD_REQUEST`, also if the user may not read the channel
 */
export function channelNamed(directory: Directory, user: UserRecord, name: string | undefined) {
  if (name === undefined) return undefined;
  return name === '' ? null : accessChannel(directory, user, name, 'read').id;
}
