import type { Parameters } from '@heddle/api/contract.ts';
import type { subscribe as subscribeEndpoint } from '@heddle/api/endpoints/subscriptions.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { channelRefusal } from '../../access/channels.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';
import { checkedChannelName, createChannels, newChannelSettings } from '../channels/actions.ts';
import { addSubscribers } from './actions.ts';
import { activeUsers } from './queries.ts';

export type SubscribeParameters = Parameters<typeof subscribeEndpoint>;

interface Subscribing {
  readonly caller: UserRecord;
  readonly parameters: SubscribeParameters;
  readonly organizationUrl: string;
}

/** More subscriptions than this would hold up the organization for seconds; a client can ask several times. */
const MOST_AT_ONCE = 100_000;

type NamesByUser = Record<string, string[]>;

export interface Subscribed {
  readonly subscribed: NamesByUser;
  readonly already_subscribed: NamesByUser;
  readonly unauthorized?: string[];
  readonly new_subscription_messages_sent?: boolean;
}

/**
 * Subscribes users to the channels that are named and creates those that do not exist (interface document,
 * `POST /users/me/subscriptions`).
 * @throws ApiError where the caller may not, unless the request says that such channels are to be left out
 */
export async function subscribe(change: Change, subscribing: Subscribing): Promise<Subscribed> {
  const { directory } = change;
  const { caller, parameters } = subscribing;
  const principals = parameters.principals ?? [];
  // Also the caller: the account may have been closed since the request was let in.
  const users = activeUsers(directory, principals.length === 0 ? [caller.id] : principals);
  const wanted = wantedChannels(directory, parameters.subscriptions);
  if (users.length * (wanted.existing.size + wanted.missing.length) > MOST_AT_ONCE) {
    throw badRequest(`Too many subscriptions in one request (limit: ${MOST_AT_ONCE})`);
  }
  const { authorized, unauthorized } = authorize(change, subscribing, wanted.existing, users);
  const created = await create(change, subscribing, wanted.missing);
  const channels = [...authorized, ...created];
  const answer = answerFor(change, channels, users);
  await addSubscribers(
    change,
    channels.map((channel) => ({ channel, userIds: users.map((user) => user.id) })),
  );
  return {
    ...answer,
    ...(parameters.authorization_errors_fatal ? {} : { unauthorized }),
    // Heddle has no bot that could send them, and says so.
    ...(parameters.send_new_subscription_messages ? { new_subscription_messages_sent: false } : {}),
  };
}

interface WantedChannels {
  /** With the name by which each was asked for: the real one may be hidden from the caller, whose spelling need not be it. */
  readonly existing: ReadonlyMap<ChannelRecord, string>;
  readonly missing: readonly { readonly name: string; readonly description: string }[];
}

/** Each channel once, whatever its name's case. */
function wantedChannels(directory: Change['directory'], named: SubscribeParameters['subscriptions']): WantedChannels {
  const existing = new Map<ChannelRecord, string>();
  const missing = new Map<string, { name: string; description: string }>();
  for (const { name: text, description = '' } of named) {
    const name = checkedChannelName(text);
    const channel = directory.channelByName(name);
    if (channel !== undefined) existing.set(channel, name);
    else if (!missing.has(name.toLowerCase())) missing.set(name.toLowerCase(), { name, description });
  }
  return { existing, missing: [...missing.values()] };
}

function authorize(
  { directory }: Change,
  { caller, parameters }: Subscribing,
  existing: WantedChannels['existing'],
  users: readonly UserRecord[],
) {
  const addsOthers = users.some((user) => user.id !== caller.id);
  const authorized: ChannelRecord[] = [];
  const unauthorized: string[] = [];
  for (const [channel, named] of existing) {
    const refusals = [
      // A hidden channel is refused like one that cannot be joined: its name is taken either way.
      channelRefusal(directory, caller, channel, 'subscribe') && badRequest(`Unable to access channel (${named}).`),
      addsOthers ? channelRefusal(directory, caller, channel, 'add-subscribers') : undefined,
    ];
    const refusal = refusals.find((one) => one !== undefined);
    if (refusal === undefined) authorized.push(channel);
    else if (parameters.authorization_errors_fatal) throw refusal;
    else unauthorized.push(named);
  }
  return { authorized, unauthorized };
}

async function create(
  change: Change,
  { caller, parameters, organizationUrl }: Subscribing,
  missing: WantedChannels['missing'],
): Promise<readonly ChannelRecord[]> {
  if (missing.length === 0) return [];
  const settings = newChannelSettings(change.directory, caller, parameters);
  return createChannels(
    change,
    missing.map((channel) => ({ ...settings, ...channel })),
    { creatorId: caller.id, organizationUrl },
  );
}

function answerFor({ directory }: Change, channels: readonly ChannelRecord[], users: readonly UserRecord[]) {
  const subscribed: NamesByUser = {};
  const already: NamesByUser = {};
  for (const user of users) {
    for (const { id, name } of channels) {
      const list = directory.subscriptions.has(id, user.id) ? already : subscribed;
      list[user.id] ??= [];
      list[user.id]?.push(name);
    }
  }
  return { subscribed, already_subscribed: already };
}
