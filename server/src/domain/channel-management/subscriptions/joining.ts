import type { Parameters } from '@heddle/api/contract.ts';
import type { subscribe as subscribeEndpoint } from '@heddle/api/endpoints/subscriptions.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { channelRefusal, type SortedChannels, sortChannels } from '../../../access/channels.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import { type ChannelRecord, Role, type UserRecord } from '../../../directory/records.ts';
import { createChannels } from '../../channels/actions.ts';
import { newChannelSettings } from '../../channels/new-channel.ts';
import { announceChannels, noticeCreated } from '../../sending/channel-notices/notices.ts';
import type { NoticeContext } from '../../sending/sending/notices.ts';
import { addSubscribers } from './actions.ts';
import type { Batch } from './batches.ts';
import type { GivenColors } from './colors.ts';
import { activeUsers } from './queries.ts';

export type SubscribeParameters = Parameters<typeof subscribeEndpoint>;

/** The names of channels by user id. */
export type NamesByUser = ReadonlyMap<number, readonly string[]>;

/** A channel in a request, either existing or to be created. */
export interface WantedChannel {
  readonly name: string;
  /** For a channel to be created. */
  readonly description: string;
  /** Null if the channel did not exist when the request arrived. */
  readonly id: number | null;
  /** The requested color, for users without an earlier subscription. */
  readonly color?: string | undefined;
}

/** Values that all batches of a request share. */
export interface Joining {
  readonly parameters: SubscribeParameters;
  readonly need: 'subscribe' | 'add-subscribers';
  readonly renderDescription: (description: string) => string;
  readonly noticeContext: NoticeContext;
  /** Whether each batch announces the channels that it creates. Otherwise a last step announces all of them. */
  readonly announces: boolean;
  /** The assigned colors of all users of the batches so far. When a batch retries, a color may be skipped. */
  readonly colors: GivenColors;
  /** The ids of the channels that this request created so far, by name. Their permissions were already checked. */
  readonly created: ReadonlyMap<string, number>;
}

/** The result of a batch. */
export interface Joined {
  readonly subscribed: NamesByUser;
  readonly already: NamesByUser;
  /** The names of channels that the caller may not join, if the request ignores them. */
  readonly refused: readonly string[];
  readonly created: readonly ChannelRecord[];
}

/**
 * Subscribes the users of a batch to its channels. Creates the channels that still do not exist, with their first
 * messages.
 * @throws ApiError if the caller lacks a permission, perhaps since the request was checked
 */
export async function join(
  change: Change,
  caller: UserRecord,
  joining: Joining,
  { channels: wanted, userIds }: Batch<WantedChannel>,
): Promise<Joined> {
  const { directory } = change;
  const { parameters, renderDescription: render } = joining;
  checkMayJoin(caller);
  activeUsers(directory, caller, userIds);
  const { allowed, refused, free } = sortWanted(directory, caller, joining, wanted);
  const existing = authorized({ refused, allowed }, parameters);
  const created = await createChannels(change, newChannels(directory, caller, parameters, wanted, free), {
    creatorId: caller.id,
    render,
  });
  const channels = [...existing, ...created];
  const colorOf = chosenColors(wanted, joining.created);
  await addSubscribers(
    change,
    channels.map((channel) => ({ channel, userIds, color: colorOf(channel) })),
    joining.colors,
  );
  const noticeContext = { ...joining.noticeContext, actor: caller };
  noticeCreated(change, created, userIds, noticeContext);
  if (joining.announces) {
    announceChannels(change, created, noticeContext, { channelIds: existing.map(({ id }) => id), userIds });
  }
  return { ...subscribersOf(directory, channels, userIds), refused: refused.map(({ name }) => name), created };
}

/** @throws ApiError `BAD_REQUEST`: guests cannot subscribe, not even to channels that they can read */
export function checkMayJoin(caller: UserRecord): void {
  if (caller.role >= Role.guest) throw badRequest('Not allowed for guest users');
}

/**
 * Finds the requested colors by id, since a channel can be renamed during the request. Channels that this batch finds
 * or creates have only a name.
 */
function chosenColors(wanted: readonly WantedChannel[], created: Joining['created']) {
  const colors = new Map<number | string, string>();
  for (const { name, id, color } of wanted) {
    if (color !== undefined) colors.set(id ?? created.get(name) ?? name.toLowerCase(), color);
  }
  return ({ id, name }: Pick<ChannelRecord, 'id' | 'name'>) => colors.get(id) ?? colors.get(name.toLowerCase());
}

/**
 * Returns the existing channels that the caller may join.
 * @throws ApiError the first refusal, if the request does not ignore refusals
 */
export function authorized(
  { refused, allowed }: Pick<SortedChannels, 'refused' | 'allowed'>,
  { authorization_errors_fatal }: SubscribeParameters,
): readonly ChannelRecord[] {
  const [first] = refused;
  if (first !== undefined && authorization_errors_fatal) throw first.refusal;
  return allowed;
}

/**
 * Sorts channels into allowed, refused and new. It looks up known channels by id, because a channel can be renamed
 * during the request.
 */
function sortWanted(
  directory: Directory,
  caller: UserRecord,
  { need, created }: Joining,
  wanted: readonly WantedChannel[],
): SortedChannels {
  const allowed: ChannelRecord[] = [];
  const refused: SortedChannels['refused'][number][] = [];
  const names: string[] = [];
  for (const { name, id: known } of wanted) {
    const id = known ?? created.get(name);
    const channel = id === undefined ? undefined : directory.channel(id);
    if (channel === undefined) {
      names.push(name);
      continue;
    }
    const refusal = created.has(name) ? undefined : channelRefusal(directory, caller, channel, need, name);
    if (refusal === undefined) allowed.push(channel);
    else refused.push({ name, refusal });
  }
  const byName = sortChannels(directory, caller, names, need);
  // A channel that got a requested name during the request is found by its id and by that name.
  const found = new Set(allowed.map(({ id }) => id));
  return {
    allowed: [...allowed, ...byName.allowed.filter(({ id }) => !found.has(id))],
    refused: [...refused, ...byName.refused],
    free: byName.free,
  };
}

/**
 * Returns the settings of the channels that the request creates.
 * @throws ApiError if the caller may not create them
 */
export function newChannels(
  directory: Directory,
  caller: UserRecord,
  parameters: SubscribeParameters,
  wanted: readonly WantedChannel[],
  free: readonly string[],
) {
  if (free.length === 0) return [];
  const settings = newChannelSettings(directory, caller, parameters);
  const descriptions = new Map(wanted.map(({ name, description }) => [name, description]));
  return free.map((name) => ({ ...settings, name, description: descriptions.get(name) ?? '' }));
}

/** Returns who is subscribed already, and who is not. */
export function subscribersOf(
  directory: Directory,
  channels: readonly Pick<ChannelRecord, 'id' | 'name'>[],
  userIds: readonly number[],
): { readonly subscribed: NamesByUser; readonly already: NamesByUser } {
  const subscribed = new Map<number, string[]>();
  const already = new Map<number, string[]>();
  for (const userId of userIds) {
    for (const { id, name } of channels) {
      addNames(directory.subscriptions.has(id, userId) ? already : subscribed, userId, [name]);
    }
  }
  return { subscribed, already };
}

export function addNames(to: Map<number, string[]>, userId: number, names: readonly string[]): void {
  const all = to.get(userId);
  if (all === undefined) to.set(userId, [...names]);
  else all.push(...names);
}
