/**
 * Who may know, read, post to, join and run channels (public reference: "Roles and permissions", "Channel permissions"). Every
 * question answers with the error that becomes the reason, or with nothing where the user may.
 */
import { type ApiError, badRequest, channelDoesNotExist } from '@heddle/api/errors.ts';
import { CHANNEL_PERMISSIONS, type OrganizationPermission } from '@heddle/api/permissions.ts';
import type { Directory } from '../directory/directory.ts';
import { type ChannelGroupSetting, type ChannelRecord, Role, type UserRecord } from '../directory/records.ts';
import { knowsChannel } from '../directory/visibility.ts';
import { isGranted } from './group-settings.ts';
import { hasPermission, organizationSetting } from './organization-settings.ts';

/**
 * What someone wants of a channel:
 * - `know`: its existence, its settings, who is subscribed;
 * - `read`: its messages and topics, as far as `contentAccess` lets;
 * - `post`: to send messages;
 * - `create-topic`: to send the first message of a topic (asked beside `post`);
 * - `subscribe`: to subscribe themselves;
 * - `add-subscribers`, `remove-subscribers`: to do that to others;
 * - `administer`: to change its settings.
 */
export type ChannelNeed =
  | 'know'
  | 'read'
  | 'post'
  | 'create-topic'
  | 'subscribe'
  | 'add-subscribers'
  | 'remove-subscribers'
  | 'administer';

/** Which of a channel's messages someone may read: none, all, or those that were sent while they were subscribed. */
export type ContentAccess = 'none' | 'received' | 'all';

/** The kinds of channels that someone can create. */
export type ChannelKind = 'public' | 'private' | 'web-public';

const isGuest = (user: UserRecord) => user.role >= Role.guest;
const isAdministrator = (user: UserRecord) => user.role <= Role.administrator;

/**
 * The channel with this id, if the user may do that with it.
 * @throws ApiError `BAD_REQUEST`: with the same words for a channel that does not exist and one that is hidden from the user
 */
export function accessChannel(directory: Directory, user: UserRecord, channelId: number, need: ChannelNeed) {
  const channel = directory.channel(channelId);
  if (channel === undefined || !knowsChannel(directory, user, channel)) throw badRequest('Invalid channel ID');
  return allowed(directory, user, channel, need);
}

/** Like `accessChannel`, by name and whichever case. */
export function accessChannelByName(directory: Directory, user: UserRecord, name: string, need: ChannelNeed) {
  const channel = directory.channelByName(name.trim());
  if (channel === undefined || !knowsChannel(directory, user, channel)) {
    throw need === 'post' ? channelDoesNotExist(name) : badRequest(`Invalid channel name '${name}'`);
  }
  return allowed(directory, user, channel, need);
}

function allowed(directory: Directory, user: UserRecord, channel: ChannelRecord, need: ChannelNeed): ChannelRecord {
  const refusal = channelRefusal(directory, user, channel, need);
  if (refusal !== undefined) throw refusal;
  return channel;
}

/** Why the user may not do that with the channel; undefined where they may. */
export function channelRefusal(
  directory: Directory,
  user: UserRecord,
  channel: ChannelRecord,
  need: ChannelNeed,
): ApiError | undefined {
  if (!knowsChannel(directory, user, channel)) return badRequest('Invalid channel ID');
  switch (need) {
    case 'know':
      return undefined;
    case 'read':
      return hasContent(directory, user, channel) ? undefined : badRequest('Invalid channel ID');
    case 'post':
      return postRefusal(directory, user, channel);
    case 'create-topic':
      if (granted(directory, user, channel, 'can_create_topic')) return undefined;
      return badRequest('You do not have permission to create new topics in this channel.');
    case 'subscribe':
      return maySubscribe(directory, user, channel)
        ? undefined
        : badRequest(`Unable to access channel (${channel.name}).`);
    case 'add-subscribers':
      return mayAddSubscribers(directory, user, channel) ? undefined : badRequest('Insufficient permission');
    case 'remove-subscribers':
      return mayRemoveSubscribers(directory, user, channel) ? undefined : badRequest('Insufficient permission');
    case 'administer':
      return mayAdminister(directory, user, channel)
        ? undefined
        : badRequest('You do not have permission to administer this channel.');
  }
}

/**
 * Which of the channel's messages the user may read: all of a public channel's, and of a private one's whose history subscribers
 * share; only those received where the history is protected. Archiving changes nothing here.
 */
export function contentAccess(directory: Directory, user: UserRecord, channel: ChannelRecord): ContentAccess {
  if (!hasContent(directory, user, channel)) return 'none';
  if (channel.isWebPublic || !channel.isPrivate || channel.historyPublicToSubscribers) return 'all';
  return 'received';
}

/** Whether the user may read anything there: administrators know private channels and yet do not read them. */
function hasContent(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  return directory.subscriptions.has(channel.id, user.id) || maySubscribe(directory, user, channel);
}

/** Who may join a channel may read it without joining, and the other way round. */
function maySubscribe(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  if (channel.isWebPublic) return true;
  if (isGuest(user)) return directory.subscriptions.has(channel.id, user.id);
  if (!channel.isPrivate || directory.subscriptions.has(channel.id, user.id)) return true;
  return granted(directory, user, channel, 'can_subscribe') || granted(directory, user, channel, 'can_add_subscribers');
}

function postRefusal(directory: Directory, user: UserRecord, channel: ChannelRecord): ApiError | undefined {
  if (channel.isArchived || !hasContent(directory, user, channel)) {
    return badRequest(`Not authorized to send to channel '${channel.name}'`);
  }
  if (granted(directory, user, channel, 'can_send_message')) return undefined;
  return badRequest('You do not have permission to post in this channel.');
}

function mayAddSubscribers(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  if (isGuest(user)) return false;
  if (granted(directory, user, channel, 'can_add_subscribers')) return true;
  if (!hasContent(directory, user, channel)) return false;
  if (mayAdminister(directory, user, channel)) return true;
  return hasPermission(directory, user, 'can_add_subscribers_group');
}

function mayRemoveSubscribers(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  if (mayAdminister(directory, user, channel)) return true;
  return granted(directory, user, channel, 'can_remove_subscribers');
}

function mayAdminister(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  return isAdministrator(user) || granted(directory, user, channel, 'can_administer_channel');
}

function granted(directory: Directory, user: UserRecord, channel: ChannelRecord, setting: ChannelGroupSetting) {
  return isGranted(directory, CHANNEL_PERMISSIONS[`${setting}_group`], channel.groupSettings[setting], user);
}

const CREATED_WITH = {
  public: 'can_create_public_channel_group',
  private: 'can_create_private_channel_group',
  'web-public': 'can_create_web_public_channel_group',
} as const satisfies Record<ChannelKind, OrganizationPermission>;

/** Why the user may not create a channel of this kind; undefined where they may. */
export function channelCreationRefusal(
  directory: Directory,
  user: UserRecord,
  kind: ChannelKind,
): ApiError | undefined {
  if (isGuest(user)) return badRequest('Insufficient permission');
  if (kind === 'web-public' && !organizationSetting(directory, 'enable_spectator_access')) {
    return badRequest('Web-public channels are not enabled.');
  }
  return hasPermission(directory, user, CREATED_WITH[kind]) ? undefined : badRequest('Insufficient permission');
}
