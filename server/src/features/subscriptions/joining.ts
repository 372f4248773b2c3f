import type { Parameters } from '@heddle/api/contract.ts';
import type { subscribe as subscribeEndpoint } from '@heddle/api/endpoints/subscriptions.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { channelRefusal, type SortedChannels, sortChannels } from '../../access/channels.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import { type ChannelRecord, Role, type UserRecord } from '../../directory/records.ts';
import {
  announceChannels,
  createChannels,
  newChannelSettings,
  noticeCreated,
  reserveChannelIds,
} from '../channels/actions.ts';
import type { Noticing } from '../sending/actions.ts';
import { addSubscribers } from './actions.ts';
import { type GivenColors, NO_COLORS } from './colors.ts';
import { activeUsers } from './queries.ts';
import { colorsOf } from './rows.ts';
import type { Slice } from './slices.ts';
import { type JoinedAhead, UndatedSubscriptions } from './undated.ts';

export type SubscribeParameters = Parameters<typeof subscribeEndpoint>;

/** The names of channels by user id. */
export type NamesByUser = ReadonlyMap<number, readonly string[]>;

/** A channel that a request names: one that there is, or one that it creates. */
export interface WantedChannel {
  readonly name: string;
  /** Of a channel to be created. */
  readonly description: string;
  /** Null for one that there was not when the request came. */
  readonly id: number | null;
  /** What the request wants for those who join it for the first time. */
  readonly color?: string | undefined;
}

/** What all slices of one request have in common. */
export interface Joining {
  readonly parameters: SubscribeParameters;
  readonly need: 'subscribe' | 'add-subscribers';
  readonly renderDescription: (description: string) => string;
  readonly noticing: Noticing;
  /** Whether each slice announces what it creates; else that comes when all is done. */
  readonly announces: boolean;
  /** Of all users in slices so far: they have as many as they have subscriptions. Of a slice that is tried again a colour may be passed over. */
  readonly colors: GivenColors;
  /** Ids of the channels that the request has created by now, by their names: who is to be in them was decided then. */
  readonly created: ReadonlyMap<string, number>;
}

/** What a slice has come to. */
export interface Joined {
  readonly subscribed: NamesByUser;
  readonly already: NamesByUser;
  /** Names of channels that the caller may not join, where the request leaves those out. */
  readonly refused: readonly string[];
  readonly created: readonly ChannelRecord[];
}

/**
 * Writes what `join` is to date, as far as can be said before the log is taken.
 * @throws ApiError as `join`
 */
export async function writeJoining(
  db: DbTransaction,
  directory: Directory,
  caller: UserRecord,
  joining: Joining,
  { channels: wanted, userIds }: Slice<WantedChannel>,
): Promise<UndatedSubscriptions> {
  const sorted = sortWanted(directory, caller, joining, wanted);
  const colorOf = chosenColors(wanted, joining.created);
  const created = await reserveChannelIds(db, sorted.free);
  const joined =
    (isNew: boolean) =>
    (channel: Pick<ChannelRecord, 'id' | 'name'>): JoinedAhead => {
      return { id: channel.id, color: colorOf(channel), isNew };
    };
  const channels = [
    ...authorized(sorted, joining.parameters)
      // Who asks for what there is already keeps nobody from a channel.
      .filter(({ id }) => userIds.some((userId) => !directory.subscriptions.has(id, userId)))
      .map(joined(false)),
    ...[...created].map(([name, id]) => ({ name, id })).map(joined(true)),
  ];
  const { colors } = joining;
  return UndatedSubscriptions.write(db, directory.organization.id, { channels, userIds, colors, created });
}

/**
 * Subscribes the users of a slice to its channels, and creates those that are still not there, with their first messages.
 * @param undated written for this slice before the change took the log
 * @throws ApiError where that is not allowed, or not any more
 */
export async function join(
  change: Change,
  caller: UserRecord,
  joining: Joining,
  { channels: wanted, userIds }: Slice<WantedChannel>,
  undated?: UndatedSubscriptions,
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
    ids: undated?.idsOf(directory, free),
  });
  const channels = [...existing, ...created];
  const colorOf = chosenColors(wanted, joining.created);
  await addSubscribers(
    change,
    channels.map((channel) => ({ channel, userIds, color: colorOf(channel) })),
    { colors: joining.colors, undated },
  );
  const noticing = { ...joining.noticing, actor: caller };
  noticeCreated(change, created, userIds, noticing);
  if (joining.announces) {
    announceChannels(change, created, noticing, { channelIds: existing.map(({ id }) => id), userIds });
  }
  return { ...subscribersOf(directory, channels, userIds), refused: refused.map(({ name }) => name), created };
}

/** @throws ApiError `BAD_REQUEST`: guests are subscribed by others, also to what they may read */
export function checkMayJoin(caller: UserRecord): void {
  if (caller.role >= Role.guest) throw badRequest('Not allowed for guest users');
}

/** By id, since a channel may get another name while the request is carried out; by name where this slice has to find or create it. */
function chosenColors(wanted: readonly WantedChannel[], created: Joining['created']) {
  const colors = new Map<number | string, string>();
  for (const { name, id, color } of wanted) {
    if (color !== undefined) colors.set(id ?? created.get(name) ?? name.toLowerCase(), color);
  }
  return ({ id, name }: Pick<ChannelRecord, 'id' | 'name'>) => colors.get(id) ?? colors.get(name.toLowerCase());
}

/** Reads what `join` would read of users that were in no slice before: to walk all their subscriptions takes long. */
export async function readColors(
  db: DbTransaction,
  organizationId: number,
  { colors }: Joining,
  userIds: readonly number[],
): Promise<void> {
  const unknown = userIds.filter((userId) => !colors.has(userId));
  if (unknown.length === 0) return;
  const found = await colorsOf(db, organizationId, unknown);
  for (const userId of unknown) colors.set(userId, found.get(userId) ?? NO_COLORS);
}

/** The channels that exist and may be joined; where that is not all of them, and the request minds, the refusal of the first other. */
export function authorized(
  { refused, allowed }: Pick<SortedChannels, 'refused' | 'allowed'>,
  { authorization_errors_fatal }: SubscribeParameters,
): readonly ChannelRecord[] {
  const [first] = refused;
  if (first !== undefined && authorization_errors_fatal) throw first.refusal;
  return allowed;
}

/** Those with an id by that: a channel that gets another name while the request is carried out is still the one that was meant. */
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
  return {
    allowed: [...allowed, ...byName.allowed],
    refused: [...refused, ...byName.refused],
    free: byName.free,
  };
}

/**
 * What the request says of channels that it creates.
 * @throws ApiError where the caller may not create them so
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

/** Who is not subscribed yet, and who is. */
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
