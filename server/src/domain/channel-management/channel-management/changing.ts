import type { Parameters } from '@heddle/api/contract.ts';
import type { updateChannel } from '@heddle/api/endpoints/channels.ts';
import { badRequest, channelAlreadyExists, topicNotAllowed } from '@heddle/api/errors.ts';
import { CHANNEL_PERMISSIONS } from '@heddle/api/permissions.ts';
import { sql } from 'kysely';
import { accessChannel, channelCreationRefusal } from '../../../access/channels.ts';
import { changedGroupSetting } from '../../../access/group-settings.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../access/limits.ts';
import { checkListed, listedIn } from '../../../access/long-permissions.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import { type ChannelSetting, channelSettingRefusal } from '../../../access/setting-changes.ts';
import { violatesUnique } from '../../../db/failures.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSettings,
  type ChannelRecord,
  isSameSetting,
  type UserRecord,
} from '../../../directory/records.ts';
import { amendChannel } from '../../channels/amending.ts';
import { checkedChannelDescription, checkedChannelName } from '../../channels/names.ts';
import { findOpenFolder } from '../../channels/open-folders.ts';
import { givenPlainSettings, requestedPlainFields } from '../../channels/plain-settings.ts';
import type { VisibilityFields } from '../../channels/visibility.ts';
import { changedTexts } from '../../sending/channel-notices/notice-texts.ts';
import { noticeChanges } from '../../sending/channel-notices/notices.ts';
import type { NoticeContext } from '../../sending/sending/notices.ts';
import { archiveChannel, unarchiveChannel } from './archiving.ts';

type ChannelParameters = Parameters<typeof updateChannel>;

interface Changing {
  readonly parameters: ChannelParameters;
  /** Returns a description as HTML. */
  readonly render: (description: string) => string;
  readonly noticeContext: NoticeContext;
}

/**
 * Applies all changes of a request or none (public reference: `PATCH /streams/{stream_id}`), and posts notices about
 * them in the channel.
 * @throws ApiError if the caller may not change a setting, or its value is invalid
 */
export async function changeChannel(
  change: Change,
  caller: UserRecord,
  { parameters, render, noticeContext }: Changing,
): Promise<void> {
  const { db, directory } = change;
  const channel = accessChannel(directory, caller, parameters.stream_id, 'administer');
  for (const setting of givenSettings(parameters)) {
    const refusal = channelSettingRefusal(directory, caller, setting, channel);
    if (refusal !== undefined) throw refusal;
  }
  const visibility = newVisibility(directory, caller, channel, parameters);
  const description = newDescription(channel, parameters);
  const amended: ChannelRecord = {
    ...channel,
    ...visibility,
    name: newName(directory, channel, parameters),
    description,
    renderedDescription: description === channel.description ? channel.renderedDescription : render(description),
    isDefault: newDefault(channel, visibility, parameters),
    ...requestedPlainFields(parameters, channel),
    groupSettings: newPermissions(directory, caller, channel, parameters),
  };
  await checkStored(db, directory.organization.id, channel, amended);
  await amend(change, channel, amended);
  const actor = { ...noticeContext, actor: caller };
  noticeChanges(change, amended, changedTexts(directory, channel, amended, caller), actor);
  // Archiving comes last, so that its events and notices use the new settings.
  if (parameters.is_archived === false) await unarchiveChannel(change, amended, actor);
  if (parameters.is_archived === true) await archiveChannel(change, amended, actor);
}

async function amend(change: Change, channel: ChannelRecord, amended: ChannelRecord): Promise<void> {
  try {
    await amendChannel(change, channel, amended);
  } catch (error) {
    // See `insertChannels`: the database compares upper and lower case differently.
    if (violatesUnique(error, 'channels_by_name')) throw channelAlreadyExists(amended.name);
    throw error;
  }
}

/**
 * Returns the settings in the request that need a permission of their own. `newPermissions` checks the permissions of
 * the channel.
 */
function givenSettings(parameters: ChannelParameters): readonly ChannelSetting[] {
  const { is_private, is_web_public, history_public_to_subscribers } = parameters;
  const given = {
    isPrivate: is_private ?? is_web_public ?? history_public_to_subscribers,
    isDefault: parameters.is_default_stream,
  } satisfies Partial<Record<ChannelSetting, unknown>>;
  const names = (Object.keys(given) as (keyof typeof given)[]).filter((name) => given[name] !== undefined);
  return [...names, ...givenPlainSettings(parameters)];
}

function newVisibility(
  directory: Directory,
  caller: UserRecord,
  channel: ChannelRecord,
  parameters: ChannelParameters,
): VisibilityFields {
  const { is_private, is_web_public, history_public_to_subscribers } = parameters;
  const isPrivate = is_private ?? channel.isPrivate;
  const isWebPublic = is_web_public ?? channel.isWebPublic;
  const historyPublicToSubscribers =
    history_public_to_subscribers ?? (is_private === undefined ? channel.historyPublicToSubscribers : !is_private);
  if (isWebPublic && isPrivate) throw badRequest('Invalid parameters');
  if (!isPrivate && !historyPublicToSubscribers) throw badRequest('Invalid parameters');
  if (!isPrivate && organizationSetting(directory, 'moderation_request_channel_id') === channel.id) {
    throw badRequest('Moderation request channel must be private.');
  }
  if (is_private !== undefined) refuse(channelCreationRefusal(directory, caller, is_private ? 'private' : 'public'));
  if (is_web_public === true) refuse(channelCreationRefusal(directory, caller, 'web-public'));
  return { isPrivate, isWebPublic, historyPublicToSubscribers };
}

function refuse(refusal: Error | undefined): void {
  if (refusal !== undefined) throw refusal;
}

function newDefault(channel: ChannelRecord, { isPrivate }: VisibilityFields, parameters: ChannelParameters): boolean {
  const isDefault = parameters.is_default_stream ?? channel.isDefault;
  if (isDefault) checkCanBeDefault({ ...channel, isPrivate });
  return isDefault;
}

/** @throws ApiError `BAD_REQUEST`: a private or archived channel cannot become a default channel */
function checkCanBeDefault({ isPrivate, isArchived, isDefault }: ChannelRecord): void {
  if (isPrivate) throw badRequest('A default channel cannot be private.');
  if (isArchived && !isDefault) throw badRequest('A default channel cannot be archived.');
}

function newName(directory: Directory, channel: ChannelRecord, { new_name }: ChannelParameters): string {
  if (new_name === undefined) return channel.name;
  const name = checkedChannelName(new_name);
  if (name === channel.name) throw badRequest('Channel already has that name.');
  const holder = directory.channelByName(name);
  if (holder !== undefined && holder.id !== channel.id) throw channelAlreadyExists(name);
  return name;
}

function newDescription(channel: ChannelRecord, { description }: ChannelParameters): string {
  return description === undefined ? channel.description : checkedChannelDescription(description);
}

function newPermissions(
  directory: Directory,
  caller: UserRecord,
  channel: ChannelRecord,
  parameters: ChannelParameters,
): ChannelGroupSettings {
  const settings = { ...channel.groupSettings };
  for (const key of CHANNEL_GROUP_SETTINGS) {
    const name = `${key}_group` as const;
    const update = parameters[name];
    if (update === undefined) continue;
    const current = channel.groupSettings[key];
    const value = changedGroupSetting(directory, { name, permission: CHANNEL_PERMISSIONS[name] }, current, update);
    if (isSameSetting(current, value)) continue;
    refuse(channelSettingRefusal(directory, caller, key, channel));
    settings[key] = value;
  }
  const more = listedIn(Object.values(settings)) - listedIn(Object.values(channel.groupSettings));
  checkListed(directory, channel.creatorId, more);
  return settings;
}

/** Checks that need the database: the folder, and topics before the channel allows only the empty one. */
async function checkStored(
  db: DbTransaction,
  organizationId: number,
  before: ChannelRecord,
  after: ChannelRecord,
): Promise<void> {
  if (after.folderId !== null && after.folderId !== before.folderId) {
    await findOpenFolder(db, organizationId, after.folderId);
  }
  if (after.topicsPolicy !== 'empty_topic_only' || before.topicsPolicy === 'empty_topic_only') return;
  if (!(await hasNamedTopics(db, organizationId, before.id))) return;
  throw topicNotAllowed(
    `To enable this configuration, all messages in this channel must be in the ${EMPTY_TOPIC_DISPLAY_NAME} topic. Consider renaming or deleting other topics.`,
    EMPTY_TOPIC_DISPLAY_NAME,
  );
}

/** Index: messages_by_topic, one step. */
async function hasNamedTopics(db: DbTransaction, organizationId: number, channelId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM messages
     WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND lower(topic) > ''
     LIMIT 1`.execute(db);
  return rows.length > 0;
}
