import { badRequest, channelAlreadyExists } from '@heddle/api/errors.ts';
import { accountOf } from '../../access/bots.ts';
import { checkListed, listedIn } from '../../access/long-permissions.ts';
import { violatesUnique } from '../../db/failures.ts';
import type { DbTransaction, NewRow } from '../../db/schema.ts';
import { type PlainChannelFields, plainSettings } from '../../directory/channel-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import { channelRecord } from '../../directory/load.ts';
import type { Change } from '../../directory/organization.ts';
import { type ChannelRecord, Role } from '../../directory/records.ts';
import { channelDelta } from '../../directory/state-deltas.ts';
import { defaultsEvent } from './defaults.ts';
import { type ChosenGroupSettings, newGroupSettings } from './group-settings.ts';
import { checkedChannelDescription, checkedChannelName } from './names.ts';
import { findOpenFolder } from './open-folders.ts';
import type { ChannelEvent } from './present.ts';
import { viewChannel } from './queries.ts';

/** Plain settings that are not given have their defaults. */
export interface NewChannel extends Partial<PlainChannelFields> {
  readonly name: string;
  /** Markdown. */
  readonly description?: string;
  /** Default: public. */
  readonly isPrivate?: boolean;
  readonly isWebPublic?: boolean;
  /** Default: true for public channels, false for private ones; public ones cannot have it false. */
  readonly historyPublicToSubscribers?: boolean;
  /** Whether new users are subscribed to it. */
  readonly isDefault?: boolean;
  readonly groupSettings?: ChosenGroupSettings;
}

export interface ChannelCreation {
  /** Null: no user created it. */
  readonly creatorId: number | null;
  /** Returns a description as HTML; see `descriptionRenderer`. */
  readonly render: (description: string) => string;
}

/**
 * Creates a channel without subscribers, and announces it to users with metadata access. The caller checks the
 * creator's permission.
 * @throws ApiError `CHANNEL_ALREADY_EXISTS`; `BAD_REQUEST` for an invalid name, description or setting
 */
export async function createChannel(
  change: Change,
  channel: NewChannel,
  creation: ChannelCreation,
): Promise<ChannelRecord> {
  const [created] = await createChannels(change, [channel], creation);
  if (created === undefined) throw new Error('a channel was inserted and not returned');
  return created;
}

/**
 * Creates several channels in the given order; see `createChannel`. The directory contains them only after the commit.
 */
export async function createChannels(
  change: Change,
  channels: readonly NewChannel[],
  creation: ChannelCreation,
): Promise<readonly ChannelRecord[]> {
  if (channels.length === 0) return [];
  const rows = checkedRows(change.directory, channels, creation);
  const organizationId = change.directory.organization.id;
  for (const folderId of new Set(rows.flatMap((row) => row.folder_id ?? []))) {
    await findOpenFolder(change.db, organizationId, folderId);
  }
  const created = await insertChannels(change.db, rows);
  for (const channel of created) announceCreated(change, channel);
  if (created.some((channel) => channel.isDefault)) change.append(defaultsEvent(change.directory, created));
  return created;
}

/** Keeps an insert below the 65,535 parameters that PostgreSQL accepts in a statement. */
const ROWS_PER_STATEMENT = 1000;

async function insertChannels(db: DbTransaction, rows: readonly NewRow<'channels'>[]): Promise<ChannelRecord[]> {
  const created: ChannelRecord[] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const some = rows.slice(start, start + ROWS_PER_STATEMENT);
    try {
      created.push(...(await db.insertInto('channels').values(some).returningAll().execute()).map(channelRecord));
    } catch (error) {
      // PostgreSQL compares upper and lower case differently from JavaScript. Thus two names that passed the check can
      // still be equal here.
      if (violatesUnique(error, 'channels_by_name')) throw channelAlreadyExists(some[0]?.name ?? '');
      throw error;
    }
  }
  return created.sort((a, b) => a.id - b.id);
}

/**
 * Returns the channels as they would be created. A request that creates channels in several transactions checks all of
 * them first.
 * @throws ApiError as `createChannel`
 */
export function checkNewChannels(
  directory: Directory,
  channels: readonly NewChannel[],
  creatorId: number,
): Described[] {
  return checkedRows(directory, channels, { creatorId, render: () => '' }).map((row) => ({
    name: row.name,
    description: row.description,
    isPrivate: row.is_private,
    isWebPublic: row.is_web_public,
    historyPublicToSubscribers: row.history_public_to_subscribers,
  }));
}

type Described = Pick<
  ChannelRecord,
  'name' | 'description' | 'isPrivate' | 'isWebPublic' | 'historyPublicToSubscribers'
>;

/** Of one account, with its bots. Each channel is in the initial state of every member. Administrators have no limit. */
const MAX_CHANNELS_PER_DAY = 1000;
const DAY_SECONDS = 86_400;

function checkDay(directory: Directory, count: number, creatorId: number | null): void {
  const creator = creatorId === null ? undefined : directory.user(creatorId);
  if (creator === undefined) return;
  const account = accountOf(creator);
  if ((directory.user(account) ?? creator).role <= Role.administrator) return;
  const since = Date.now() / 1000 - DAY_SECONDS;
  let recent = 0;
  for (const { createdAt, creatorId: otherId } of directory.channels.values()) {
    const other = createdAt > since && otherId !== null ? directory.user(otherId) : undefined;
    if (other !== undefined && accountOf(other) === account) recent += 1;
  }
  if (recent + count > MAX_CHANNELS_PER_DAY) {
    throw badRequest(`You can create at most ${MAX_CHANNELS_PER_DAY} channels a day.`);
  }
}

function checkedRows(directory: Directory, channels: readonly NewChannel[], creation: ChannelCreation) {
  checkDay(directory, channels.length, creation.creatorId);
  const listed = channels.map(({ groupSettings = {} }) => listedIn(Object.values(groupSettings)));
  checkListed(
    directory,
    creation.creatorId,
    listed.reduce((sum, one) => sum + one, 0),
  );
  const rows = channels.map((channel) => newRow(directory, channel, creation));
  checkNames(directory, rows);
  return rows;
}

function newRow(directory: Directory, channel: NewChannel, { creatorId, render }: ChannelCreation) {
  const isWebPublic = channel.isWebPublic ?? false;
  const isPrivate = (channel.isPrivate ?? false) && !isWebPublic;
  if (isPrivate && channel.isDefault) throw badRequest('A default channel cannot be private.');
  const description = checkedChannelDescription(channel.description ?? '');
  return {
    organization_id: directory.organization.id,
    name: checkedChannelName(channel.name),
    description,
    rendered_description: render(description),
    creator_id: creatorId,
    is_private: isPrivate,
    is_web_public: isWebPublic,
    history_public_to_subscribers: isPrivate ? (channel.historyPublicToSubscribers ?? false) : true,
    is_default: channel.isDefault ?? false,
    ...plainSettings(channel),
    group_settings: newGroupSettings(directory, channel.groupSettings ?? {}, creatorId),
  } satisfies NewRow<'channels'>;
}

function checkNames(directory: Directory, rows: readonly NewRow<'channels'>[]): void {
  const names = new Set<string>();
  for (const { name } of rows) {
    const key = name.toLowerCase();
    if (names.has(key) || directory.channelByName(name) !== undefined) throw channelAlreadyExists(name);
    names.add(key);
  }
}

function announceCreated({ directory, append }: Change, channel: ChannelRecord): void {
  const body: ChannelEvent = { op: 'create', views: [viewChannel(directory, channel)] };
  append({
    type: 'stream',
    audience: { to: 'channel-viewers', channelId: channel.id },
    body,
    deltas: [channelDelta(channel)],
  });
}
