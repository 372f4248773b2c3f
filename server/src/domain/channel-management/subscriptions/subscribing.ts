import { sortChannels } from '../../../access/channels.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { checkNewChannels } from '../../channels/actions.ts';
import { checkedChannelName } from '../../channels/names.ts';
import { announceChannels, announcedText, createdText } from '../../sending/channel-notices/notices.ts';
import { type NoticeContext, noticeContextOf } from '../../sending/sending/notices.ts';
import { descriptionRenderer } from '../../texts/descriptions/descriptions.ts';
import {
  type Batch,
  batchesOf,
  CHANNEL_COST_MEMBERSHIPS,
  CREATION_COST_MEMBERSHIPS,
  checkSize,
  MAX_JOINS_PER_COMMIT,
  type Planned,
  type Step,
} from './batches.ts';
import { checkedColor } from './colors.ts';
import {
  addNames,
  authorized,
  checkMayJoin,
  type Joined,
  type Joining,
  join,
  newChannels,
  type SubscribeParameters,
  subscribersOf,
  type WantedChannel,
} from './joining.ts';
import { mayNotify, noticeSteps, noticesOf, notifySubscribed } from './notices.ts';
import { activeUsers } from './queries.ts';
import { readColors } from './rows.ts';

interface Subscribing {
  readonly caller: UserRecord;
  readonly parameters: SubscribeParameters;
  /** The URL of the organization, without a trailing slash. */
  readonly organizationUrl: string;
}

export interface Subscribed {
  readonly subscribed: Record<string, string[]>;
  readonly already_subscribed: Record<string, string[]>;
  readonly unauthorized?: string[];
  readonly new_subscription_messages_sent?: boolean;
}

/**
 * Plans to subscribe users to the named channels, and to create those that do not exist (interface document,
 * `POST /users/me/subscriptions`). Checks everything here, and each step checks again.
 * @throws ApiError if the caller lacks a permission, unless the request ignores refusals
 */
export function planSubscribing(
  directory: Directory,
  { caller, parameters, organizationUrl }: Subscribing,
  maxInBatch = MAX_JOINS_PER_COMMIT,
): Planned<Subscribed> {
  const { wanted, users, need, refusedNames, toCreate } = checkedRequest(directory, caller, parameters);
  const batches = batchesOf(wanted, callerFirst(users, caller), costOf, maxInBatch);
  const tells = parameters.send_new_subscription_messages;
  const notifiesAtOnce = tells && batches.length <= 1;

  const subscribed = new Map<number, string[]>();
  const already = new Map<number, string[]>();
  const refused = new Set(refusedNames);
  const created = new Map<string, number>();
  let areNotifiedAtOnce = mayNotify(directory, subscribed);

  const renderDescription = descriptionRenderer(directory, caller.id, organizationUrl);
  const noticeContext = noticeContextOf(directory, caller, organizationUrl);
  const announces = parameters.announce && batches.length <= 1;
  const joining: Joining = {
    parameters,
    need,
    renderDescription,
    noticeContext,
    announces,
    colors: new Map(),
    created,
  };

  function* ahead({ channels, userIds }: Batch<WantedChannel>): Iterable<unknown> {
    for (const { name } of channels) {
      const channel = created.has(name) ? undefined : toCreate.get(name);
      if (channel === undefined) continue;
      yield renderDescription(channel.description);
      yield noticeContext.render(createdText(channel, caller));
    }
    if (!notifiesAtOnce) return;
    const existing = channels.flatMap(({ name, id }) => (id === null ? [] : { name, id }));
    const { subscribed: names } = subscribersOf(directory, existing, userIds);
    for (const { content } of noticesOf(directory, caller, names, () => false)) yield noticeContext.render(content);
  }
  const steps = batches.map((batch): Step => {
    return {
      read: (db) => readColors(db, directory.organization.id, joining.colors, batch.userIds),
      ahead: () => ahead(batch),
      act: async (change, user) => {
        const joined = await join(change, user, joining, batch);
        const isNew = (name: string) => joined.created.some((channel) => channel.name === name);
        const notifiedNow =
          notifiesAtOnce &&
          (await notifySubscribed(change, joined.subscribed, isNew, { ...noticeContext, actor: user }));
        return () => {
          areNotifiedAtOnce = notifiedNow;
          note(joined);
        };
      },
    };
  });
  function note(joined: Joined): void {
    for (const [userId, names] of joined.subscribed) addNames(subscribed, userId, names);
    for (const [userId, names] of joined.already) addNames(already, userId, names);
    for (const name of joined.refused) refused.add(name);
    for (const { name, id } of joined.created) created.set(name, id);
  }
  const isCreated = (name: string) => created.has(name);
  const areNotified = () => (notifiesAtOnce ? areNotifiedAtOnce : mayNotify(directory, subscribed));
  if (parameters.announce && !announces) steps.push(announcingStep(noticeContext, created));
  return {
    steps:
      tells && !notifiesAtOnce ? [...steps, ...noticeSteps(noticeContext, subscribed, isCreated, directory)] : steps,
    answer: () => ({
      subscribed: Object.fromEntries(subscribed),
      already_subscribed: Object.fromEntries(already),
      ...(parameters.authorization_errors_fatal ? {} : { unauthorized: [...refused] }),
      ...(tells ? { new_subscription_messages_sent: areNotified() } : {}),
    }),
  };
}

/**
 * Checks a request as a whole, before its first step.
 * @throws ApiError as `planSubscribing`
 */
function checkedRequest(directory: Directory, caller: UserRecord, parameters: SubscribeParameters) {
  const named = namedChannels(parameters);
  // A guest can send a request that unsubscribes and adds no channel.
  if (named.size > 0) checkMayJoin(caller);
  const principals = parameters.principals ?? [];
  const users = activeUsers(directory, caller, principals.length === 0 ? [caller.id] : principals);
  const need: Joining['need'] = users.some((user) => user.id !== caller.id) ? 'add-subscribers' : 'subscribe';
  const names = [...named.values()].map(({ name }) => name);
  const sorted = sortChannels(directory, caller, names, need);
  checkSize(sorted.allowed.length + sorted.refused.length + sorted.free.length, users.length);
  const described = (name: string) => {
    const { description = '', color } = named.get(name.toLowerCase()) ?? {};
    return { description, color };
  };
  const wanted: WantedChannel[] = [
    ...authorized(sorted, parameters).map(({ id, name }) => ({ name, ...described(name), id })),
    ...sorted.free.map((name) => ({ name, ...described(name), id: null })),
  ];
  const free = newChannels(directory, caller, parameters, wanted, sorted.free);
  const toCreate = new Map(checkNewChannels(directory, free, caller.id).map((one) => [one.name, one]));
  return { wanted, users, need, refusedNames: sorted.refused.map(({ name }) => name), toCreate };
}

/**
 * Announces all channels that several batches of a request created.
 * @param created complete when the step runs
 */
function announcingStep(noticeContext: NoticeContext, created: ReadonlyMap<string, number>): Step {
  return {
    isNeeded: () => created.size > 0,
    *ahead() {
      yield noticeContext.render(announcedText([...created.keys()], noticeContext.actor));
    },
    act: async (change, actor) => {
      const channels = [...created].map(([name, id]) => ({ name, id }));
      announceChannels(change, channels, { ...noticeContext, actor }, { channelIds: [], userIds: [] });
      return () => undefined;
    },
  };
}

/** The channels by name in lower case. If a request names one several times, the first counts. */
function namedChannels({ subscriptions }: SubscribeParameters): ReadonlyMap<string, Omit<WantedChannel, 'id'>> {
  const named = new Map<string, Omit<WantedChannel, 'id'>>();
  for (const [index, { name: text, description = '', color: given }] of subscriptions.entries()) {
    const name = checkedChannelName(text);
    const color = given === undefined ? undefined : checkedColor(given, `subscriptions[${index}]`);
    const wanted = { name, description, color };
    if (!named.has(name.toLowerCase())) named.set(name.toLowerCase(), wanted);
  }
  return named;
}

/** Puts the caller into the first batch, so that the creator of a private channel is subscribed from its beginning. */
function callerFirst(users: readonly UserRecord[], caller: UserRecord): number[] {
  const others = users.filter(({ id }) => id !== caller.id).map(({ id }) => id);
  return others.length < users.length ? [caller.id, ...others] : others;
}

function costOf({ id }: WantedChannel): number {
  return id === null ? CREATION_COST_MEMBERSHIPS : CHANNEL_COST_MEMBERSHIPS;
}
