import type { Parameters } from '@heddle/api/contract.ts';
import type { subscribe as subscribeEndpoint } from '@heddle/api/endpoints/subscriptions.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { type SortedChannels, sortChannels } from '../../access/channels.ts';
import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';
import { checkedChannelName, createChannels, newChannelSettings, noticeCreated } from '../channels/actions.ts';
import type { Noticing } from '../sending/actions.ts';
import { addSubscribers } from './actions.ts';
import { tellSubscribed } from './notices.ts';
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
  const descriptions = new Map<string, string>();
  for (const { name: text, description = '' } of parameters.subscriptions) {
    const name = checkedChannelName(text);
    if (!descriptions.has(name)) descriptions.set(name, description);
  }
  const addsOthers = users.some((user) => user.id !== caller.id);
  const need = addsOthers ? 'add-subscribers' : 'subscribe';
  const wanted = sortChannels(directory, caller, [...descriptions.keys()], need);
  if (users.length * (wanted.allowed.length + wanted.refused.length + wanted.free.length) > MOST_AT_ONCE) {
    throw badRequest(`Too many subscriptions in one request (limit: ${MOST_AT_ONCE})`);
  }
  const existing = authorized(wanted, parameters);
  const created = await create(change, subscribing, wanted.free, descriptions);
  const channels = [...existing, ...created];
  const answer = answerFor(change, channels, users);
  const userIds = users.map((user) => user.id);
  await addSubscribers(
    change,
    channels.map((channel) => ({ channel, userIds })),
  );
  const noticing = { actor: caller, organizationUrl: subscribing.organizationUrl };
  const areTold = parameters.send_new_subscription_messages && (await tell(change, users, answer, created, noticing));
  noticeCreated(change, created, userIds, noticing);
  return {
    ...answer,
    ...(parameters.authorization_errors_fatal ? {} : { unauthorized: wanted.refused.map(({ name }) => name) }),
    ...(parameters.send_new_subscription_messages ? { new_subscription_messages_sent: areTold } : {}),
  };
}

/** The channels that exist and may be joined; where that is not all of them, and the request minds, the refusal of the first other. */
function authorized({ refused, allowed }: SortedChannels, { authorization_errors_fatal }: SubscribeParameters) {
  const [first] = refused;
  if (first !== undefined && authorization_errors_fatal) throw first.refusal;
  return allowed;
}

async function create(
  change: Change,
  { caller, parameters, organizationUrl }: Subscribing,
  names: readonly string[],
  descriptions: ReadonlyMap<string, string>,
): Promise<readonly ChannelRecord[]> {
  if (names.length === 0) return [];
  const settings = newChannelSettings(change.directory, caller, parameters);
  return createChannels(
    change,
    names.map((name) => ({ ...settings, name, description: descriptions.get(name) ?? '' })),
    { creatorId: caller.id, organizationUrl },
  );
}

function tell(
  change: Change,
  users: readonly UserRecord[],
  { subscribed }: ReturnType<typeof answerFor>,
  created: readonly ChannelRecord[],
  noticing: Noticing,
): Promise<boolean> {
  const names = new Set(created.map(({ name }) => name));
  const newlySubscribed = users.flatMap((user) => {
    const channels = subscribed[user.id];
    return channels === undefined ? [] : { user, channels };
  });
  return tellSubscribed(change, newlySubscribed, (name) => names.has(name), noticing);
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
