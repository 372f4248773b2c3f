/**
 * Permissions for channels (public reference: "Roles and permissions", "Channel permissions"), and the single entry
 * point for a channel that a request names. It returns the channel, or the error that refuses the request. A channel
 * that is hidden from the user is refused with the same message as one that does not exist.
 */
import {
  type ApiError,
  badNarrow,
  badRequest,
  cannotAdministerChannel,
  channelDoesNotExist,
  channelIdDoesNotExist,
} from '@heddle/api/errors.ts';
import { CHANNEL_PERMISSIONS, type OrganizationPermission } from '@heddle/api/permissions.ts';
import type { Directory } from '../directory/directory.ts';
import { type ChannelGroupSetting, type ChannelRecord, Role, type UserRecord } from '../directory/records.ts';
import { hasMetadataAccess } from '../directory/visibility.ts';
import { isGranted } from './group-settings.ts';
import { hasPermission } from './organization-settings.ts';
import { hasSpectatorAccess, showsSpectators, type Viewer } from './spectators.ts';

/**
 * What a request wants to do with a channel:
 * - `know`: access its metadata: that it exists, its settings, its subscribers;
 * - `narrow`: name it where messages are selected; the messages are checked one by one;
 * - `read`: read its messages and topics, as far as `contentAccess` allows;
 * - `post`: send messages;
 * - `type`: send typing notifications;
 * - `subscribe`, `unsubscribe`: change one's own subscription;
 * - `own-subscription`: change one's own settings of the subscription;
 * - `add-subscribers`, `remove-subscribers`: subscribe and unsubscribe others;
 * - `administer`: change its settings.
 */
export type ChannelNeed =
  | 'know'
  | 'narrow'
  | 'read'
  | 'post'
  | 'type'
  | 'subscribe'
  | 'unsubscribe'
  | 'own-subscription'
  | 'add-subscribers'
  | 'remove-subscribers'
  | 'administer';

/** How requests name a channel: by its id, or by its name in any case. */
export type ChannelName = number | string;

/** Which of a channel's messages a user may read: none, all, or those sent while the user was subscribed. */
export type ContentAccess = 'none' | 'received' | 'all';

/** The kinds of channels that users can create. */
export type ChannelKind = 'public' | 'private' | 'web-public';

const isGuest = (user: UserRecord) => user.role >= Role.guest;
const isAdministrator = (user: UserRecord) => user.role <= Role.administrator;

/**
 * Returns the named channel, if the user may do that with it.
 * @throws ApiError with the same message for a channel that does not exist and one that is hidden from the user
 */
export function accessChannel(
  directory: Directory,
  user: UserRecord,
  named: ChannelName,
  need: ChannelNeed,
): ChannelRecord {
  const channel = find(directory, named);
  if (channel === undefined || !existsFor(directory, user, channel, need)) throw unknownChannels([named], need);
  const refusal = refusalOfKnown(directory, user, channel, need, named);
  if (refusal !== undefined) throw refusal;
  return channel;
}

/**
 * Like `accessChannel` for many channels. Returns each channel once.
 * @throws ApiError that names all channels that do not exist, before any other refusal
 */
export function accessChannels(
  directory: Directory,
  user: UserRecord,
  named: readonly ChannelName[],
  need: ChannelNeed,
): ChannelRecord[] {
  const channels = new Map<ChannelRecord, ChannelName>();
  const unknown: ChannelName[] = [];
  for (const name of named) {
    const channel = knownChannel(directory, user, name);
    if (channel === undefined) unknown.push(name);
    else channels.set(channel, name);
  }
  if (unknown.length > 0) throw unknownChannels(unknown, need);
  for (const [channel, name] of channels) {
    const refusal = refusalOfKnown(directory, user, channel, need, name);
    if (refusal !== undefined) throw refusal;
  }
  return [...channels.keys()];
}

/**
 * Returns the named channel, if the viewer may read it.
 * @throws ApiError otherwise; for spectators, with the same message for any channel that they cannot see
 */
export function readableChannel(
  directory: Directory,
  viewer: Viewer,
  named: ChannelName,
  need: 'read' | 'narrow',
): ChannelRecord {
  if (viewer !== undefined) return accessChannel(directory, viewer, named, need);
  const channel = knownChannel(directory, viewer, named);
  if (channel !== undefined) return channel;
  throw need === 'narrow' ? badNarrow(`unknown web-public channel ${named}`) : unknownChannels([named], need);
}

/**
 * The channels that a request names: those that the user may have, those that are refused, and names that no channel
 * has.
 */
export interface SortedChannels {
  readonly allowed: readonly ChannelRecord[];
  /**
   * Includes hidden channels, with the same message. Users who may create channels can find out anyway that the name is
   * taken.
   */
  readonly refused: readonly { readonly name: string; readonly refusal: ApiError }[];
  readonly free: readonly string[];
}

/**
 * Sorts the named channels. Each channel and each free name appears once. For requests that create missing channels or
 * skip refused ones.
 */
export function sortChannels(
  directory: Directory,
  user: UserRecord,
  names: readonly string[],
  need: ChannelNeed,
): SortedChannels {
  const existing = new Map<ChannelRecord, string>();
  const free = new Map<string, string>();
  for (const name of names) {
    const channel = find(directory, name);
    if (channel !== undefined) existing.set(channel, name);
    else if (!free.has(name.toLowerCase())) free.set(name.toLowerCase(), name);
  }
  const allowed: ChannelRecord[] = [];
  const refused: SortedChannels['refused'][number][] = [];
  for (const [channel, name] of existing) {
    const refusal = channelRefusal(directory, user, channel, need, name);
    if (refusal === undefined) allowed.push(channel);
    else refused.push({ name, refusal });
  }
  return { allowed, refused, free: [...free.values()] };
}

/** Returns the named channel, if the viewer can access its metadata. */
export function knownChannel(directory: Directory, viewer: Viewer, named: ChannelName): ChannelRecord | undefined {
  const channel = find(directory, named);
  if (channel === undefined) return undefined;
  const knows =
    viewer === undefined ? showsSpectators(directory, channel) : hasMetadataAccess(directory, viewer, channel);
  return knows ? channel : undefined;
}

/**
 * Whether the channel exists for the user and this need. A bot may post where its owner is subscribed, without any
 * other access.
 */
function existsFor(directory: Directory, user: UserRecord, channel: ChannelRecord, need: ChannelNeed): boolean {
  if (hasMetadataAccess(directory, user, channel)) return true;
  return need === 'post' && ownerIsSubscribed(directory, user, channel);
}

function ownerIsSubscribed(directory: Directory, { botOwnerId }: UserRecord, channel: ChannelRecord): boolean {
  return botOwnerId !== null && directory.subscriptions.has(channel.id, botOwnerId);
}

function find(directory: Directory, named: ChannelName): ChannelRecord | undefined {
  return typeof named === 'number' ? directory.channel(named) : directory.channelByName(named.trim());
}

/**
 * Returns why the user may not do that with the channel; undefined if they may.
 * @param named how the request names it: the message must not reveal more about a hidden channel
 */
export function channelRefusal(
  directory: Directory,
  user: UserRecord,
  channel: ChannelRecord,
  need: ChannelNeed,
  named: ChannelName = channel.id,
): ApiError | undefined {
  if (!existsFor(directory, user, channel, need)) return unknownChannels([named], need);
  return refusalOfKnown(directory, user, channel, need, named);
}

/** The error for channels that do not exist, and for those that are hidden. */
function unknownChannels(named: readonly ChannelName[], need: ChannelNeed): ApiError {
  const [first = ''] = named;
  switch (need) {
    case 'post':
      return typeof first === 'number' ? channelIdDoesNotExist(first) : channelDoesNotExist(first);
    case 'narrow':
      return badNarrow(`unknown channel ${first}`);
    case 'subscribe':
    case 'add-subscribers':
      return badRequest(`Unable to access channel (${first}).`);
    case 'unsubscribe':
    case 'remove-subscribers':
      return badRequest(`Channel(s) (${named.join(', ')}) do not exist`);
    default:
      return badRequest(typeof first === 'number' ? 'Invalid channel ID' : `Invalid channel name '${first}'`);
  }
}

function refusalOfKnown(
  directory: Directory,
  user: UserRecord,
  channel: ChannelRecord,
  need: ChannelNeed,
  named: ChannelName,
): ApiError | undefined {
  switch (need) {
    case 'know':
    case 'narrow':
    case 'unsubscribe':
      return undefined;
    case 'read':
      return hasContent(directory, user, channel) ? undefined : unknownChannels([named], need);
    case 'type':
      if (channel.isArchived || !hasContent(directory, user, channel)) return unknownChannels([named], need);
      return postRefusal(directory, user, channel);
    case 'post':
      return postRefusal(directory, user, channel);
    case 'subscribe':
      return maySubscribe(directory, user, channel) ? undefined : unknownChannels([named], need);
    case 'own-subscription':
      if (directory.subscriptions.has(channel.id, user.id)) return undefined;
      if (!hasContent(directory, user, channel)) return unknownChannels([named], need);
      return badRequest(`Not subscribed to channel ID ${channel.id}`);
    case 'add-subscribers':
      if (!maySubscribe(directory, user, channel)) return unknownChannels([named], need);
      return mayAddSubscribers(directory, user, channel) ? undefined : badRequest('Insufficient permission');
    case 'remove-subscribers':
      return mayRemoveSubscribers(directory, user, channel) ? undefined : badRequest('Insufficient permission');
    case 'administer':
      return mayAdminister(directory, user, channel) ? undefined : cannotAdministerChannel();
  }
}

/**
 * Returns which of the channel's messages the user may read: all of a public channel, and of a private one with shared
 * history. With protected history, only those that the user received. Archiving a channel does not change this.
 */
export function contentAccess(directory: Directory, user: UserRecord, channel: ChannelRecord): ContentAccess {
  if (!hasContent(directory, user, channel)) return 'none';
  return isProtected(channel) ? 'received' : 'all';
}

/** Whether the history is protected: subscribers read only what was there while they were subscribed. */
export function isProtected({ isPrivate, isWebPublic, historyPublicToSubscribers }: ChannelRecord): boolean {
  return isPrivate && !isWebPublic && !historyPublicToSubscribers;
}

/**
 * Whether the user may read any message there. Administrators can access the metadata of private channels, but not
 * their messages.
 */
function hasContent(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  return directory.subscriptions.has(channel.id, user.id) || maySubscribe(directory, user, channel);
}

/** Users who may subscribe may also read without subscribing, and vice versa. */
function maySubscribe(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  if (channel.isWebPublic) return true;
  if (isGuest(user)) return directory.subscriptions.has(channel.id, user.id);
  if (!channel.isPrivate || directory.subscriptions.has(channel.id, user.id)) return true;
  return (
    hasChannelPermission(directory, user, channel, 'can_subscribe') ||
    hasChannelPermission(directory, user, channel, 'can_add_subscribers')
  );
}

function postRefusal(directory: Directory, user: UserRecord, channel: ChannelRecord): ApiError | undefined {
  const isSubscribed = directory.subscriptions.has(channel.id, user.id) || ownerIsSubscribed(directory, user, channel);
  // With protected history, users who are not subscribed could not read the message that they send.
  const reaches = isSubscribed || (!isProtected(channel) && maySubscribe(directory, user, channel));
  if (channel.isArchived || !reaches) return badRequest(`Not authorized to send to channel '${channel.name}'`);
  const owner = user.botOwnerId === null ? undefined : directory.user(user.botOwnerId);
  const [own, ofOwner] = [user, owner].map(
    (one) => one !== undefined && hasChannelPermission(directory, one, channel, 'can_send_message'),
  );
  if (own || ofOwner) return undefined;
  return badRequest('You do not have permission to post in this channel.');
}

function mayAddSubscribers(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  if (isGuest(user)) return false;
  if (hasChannelPermission(directory, user, channel, 'can_add_subscribers')) return true;
  if (!hasContent(directory, user, channel)) return false;
  if (mayAdminister(directory, user, channel)) return true;
  return hasPermission(directory, user, 'can_add_subscribers_group');
}

/** Guests may not, even if the channel grants this permission to everyone. They can still unsubscribe themselves. */
function mayRemoveSubscribers(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  if (isGuest(user)) return false;
  if (mayAdminister(directory, user, channel)) return true;
  return hasChannelPermission(directory, user, channel, 'can_remove_subscribers');
}

function mayAdminister(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  return isAdministrator(user) || hasChannelPermission(directory, user, channel, 'can_administer_channel');
}

/** Whether the channel's own setting grants the user this permission. Other reasons to grant it are not checked. */
export function hasChannelPermission(
  directory: Directory,
  user: UserRecord,
  channel: ChannelRecord,
  setting: ChannelGroupSetting,
): boolean {
  return isGranted(directory, CHANNEL_PERMISSIONS[`${setting}_group`], channel.groupSettings[setting], user);
}

const CREATED_WITH = {
  public: 'can_create_public_channel_group',
  private: 'can_create_private_channel_group',
  'web-public': 'can_create_web_public_channel_group',
} as const satisfies Record<ChannelKind, OrganizationPermission>;

/** Returns why the user may not create a channel of this kind; undefined if they may. */
export function channelCreationRefusal(
  directory: Directory,
  user: UserRecord,
  kind: ChannelKind,
): ApiError | undefined {
  if (isGuest(user)) return badRequest('Not allowed for guest users');
  if (kind === 'web-public' && !hasSpectatorAccess(directory)) {
    return badRequest('Web-public channels are not enabled.');
  }
  return hasPermission(directory, user, CREATED_WITH[kind]) ? undefined : badRequest('Insufficient permission');
}
