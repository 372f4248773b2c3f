/** The export of a Slack workspace: `users.json`, the lists of conversations, and a file for each day of each conversation. */
import { createHash } from 'node:crypto';
import { Role } from '../../directory/records.ts';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import type {
  NeutralArchive,
  NeutralChannel,
  NeutralEmoji,
  NeutralFile,
  NeutralMessage,
  NeutralUser,
} from '../conversion/neutral.ts';
import { isTrue, type Json, numberIn, objectIn, objectsIn, textIn, textsIn, timeOf } from '../fields.ts';
import { isObject, readJson } from '../json.ts';
import type { ImportReport } from '../report.ts';
import { ImportError } from '../source.ts';
import { markdownOf } from './slack-markup.ts';

interface Conversation {
  readonly key: string;
  /** The folder of its days. */
  readonly folder: string;
  /** Null: a direct conversation. */
  readonly channel: NeutralChannel | null;
  readonly members: readonly string[];
}

/** @throws ImportError it is not an export of Slack */
export async function readSlackArchive(archive: ArchiveFiles, report: ImportReport): Promise<NeutralArchive> {
  const lists = await readLists(archive);
  const users = lists.users.flatMap((user) => userOf(user, archive) ?? []);
  const conversations = [
    ...lists.channels.flatMap((one) => channelOf(one, false)),
    ...lists.groups.flatMap((one) => channelOf(one, true)),
    ...[...lists.dms, ...lists.mpims].flatMap(directOf),
  ];
  const days = daysOf(archive, conversations, report);
  for (const path of archive.ignored) report.skip('Symbolic links and special files', path);
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([...archive.files]))
      .update(JSON.stringify(lists))
      .digest('hex'),
    name: 'Slack',
    description: '',
    users,
    channels: conversations.flatMap(({ channel }) => channel ?? []),
    groups: [],
    emoji: await emojiOf(archive),
    messages: () => readMessages(archive, days, report),
    markdown: markdownOf,
    bytesOf: (path) => archive.files.get(path),
    open: (path) => archive.open(path),
  };
}

const LISTS = ['users', 'channels', 'groups', 'dms', 'mpims'] as const;

async function readLists(archive: ArchiveFiles): Promise<Readonly<Record<(typeof LISTS)[number], readonly Json[]>>> {
  const read = async (name: string): Promise<readonly Json[]> => {
    const path = `${name}.json`;
    if (!archive.files.has(path)) return [];
    const value = await readJson(await archive.open(path), path);
    if (!Array.isArray(value)) throw new ImportError(`${path} is not a list.`);
    return objectsIn(value);
  };
  if (!archive.files.has('users.json') && !archive.files.has('org_users.json')) {
    throw new ImportError('The archive has no users.json. It is not an export of Slack.');
  }
  return {
    users: [...(await read('users')), ...(await read('org_users'))],
    channels: await read('channels'),
    groups: await read('groups'),
    dms: await read('dms'),
    mpims: await read('mpims'),
  };
}

function userOf(user: Json, archive: ArchiveFiles): NeutralUser | undefined {
  const key = textIn(user, 'id');
  if (key === undefined) return undefined;
  const profile = objectIn(user, 'profile');
  const name = [
    textIn(user, 'real_name'),
    textIn(profile, 'real_name'),
    textIn(profile, 'display_name'),
    textIn(user, 'name'),
  ];
  const avatar = ['png', 'jpg', 'gif']
    .map((ending) => `avatars/${key}.${ending}`)
    .find((path) => archive.files.has(path));
  return {
    key,
    email: textIn(profile, 'email') ?? null,
    fullName: name.find((one) => one !== undefined && one.trim() !== '') ?? key,
    role: roleOf(user),
    isActive: !isTrue(user, 'deleted'),
    isBot: isTrue(user, 'is_bot') || key === 'USLACKBOT',
    timezone: textIn(user, 'tz'),
    avatar,
  };
}

function roleOf(user: Json): number {
  if (isTrue(user, 'is_owner') || isTrue(user, 'is_primary_owner')) return Role.owner;
  if (isTrue(user, 'is_admin')) return Role.administrator;
  return isTrue(user, 'is_restricted') || isTrue(user, 'is_ultra_restricted') ? Role.guest : Role.member;
}

function channelOf(channel: Json, isPrivate: boolean): readonly Conversation[] {
  const [key, name] = [textIn(channel, 'id'), textIn(channel, 'name')];
  if (key === undefined || name === undefined) return [];
  const members = textsIn(channel, 'members');
  const created = timeOf(channel.created);
  const purpose = textIn(objectIn(channel, 'purpose'), 'value') || textIn(objectIn(channel, 'topic'), 'value') || '';
  return [
    {
      key,
      folder: name,
      members,
      channel: {
        key,
        name,
        description: purpose,
        isPrivate,
        isArchived: isTrue(channel, 'is_archived'),
        isDefault: isTrue(channel, 'is_general'),
        createdAt: created === undefined ? undefined : new Date(created),
        creator: textIn(channel, 'creator'),
        members,
      },
    },
  ];
}

/** The folder of a direct conversation has its id as its name, and that of a group its name. */
function directOf(conversation: Json): readonly Conversation[] {
  const key = textIn(conversation, 'id');
  if (key === undefined) return [];
  return [
    { key, folder: textIn(conversation, 'name') ?? key, channel: null, members: textsIn(conversation, 'members') },
  ];
}

interface Day {
  readonly path: string;
  readonly conversation: Conversation;
}

const DAY = /^(?:.*\/)?([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/;

function daysOf(archive: ArchiveFiles, conversations: readonly Conversation[], report: ImportReport): readonly Day[] {
  const byFolder = new Map(conversations.map((one) => [one.folder, one]));
  const days = [...archive.files.keys()].flatMap((path) => {
    const [, folder = '', date] = DAY.exec(path) ?? [];
    const conversation = byFolder.get(folder);
    if (date !== undefined && conversation === undefined)
      report.skip('Folders of conversations that no list names', folder);
    return date === undefined || conversation === undefined ? [] : [{ path, conversation, date }];
  });
  return days.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** `emoji.json` and the folder `emoji/` come from tools that complete an export: Slack's own export has no pictures. */
async function emojiOf(archive: ArchiveFiles): Promise<readonly NeutralEmoji[]> {
  return [...archive.files.keys()].flatMap((path) => {
    const [, name] = /^emojis?\/([^/]+)\.(?:png|gif|jpe?g|webp)$/i.exec(path) ?? [];
    return name === undefined ? [] : [{ name, path }];
  });
}

async function* readMessages(
  archive: ArchiveFiles,
  days: readonly Day[],
  report: ImportReport,
): AsyncGenerator<NeutralMessage> {
  const files = new Map<string, string>();
  for (const path of archive.files.keys()) {
    const [, id] =
      /(?:^|\/)(?:__uploads|uploads|files|attachments)\/(?:.*\/)?(F[A-Z0-9]{6,})(?:[/._-]|$)/.exec(path) ?? [];
    if (id !== undefined) files.set(id, path);
  }
  for (const { path, conversation } of days) {
    const list = await readJson(await archive.open(path), path);
    if (!Array.isArray(list)) report.skip('Days that are not lists of messages', path);
    for (const message of Array.isArray(list) ? list : []) {
      if (!isObject(message)) report.skip('Messages that are not objects', path);
      else {
        const converted = messageOf(message, conversation, { files, report });
        if (converted !== undefined) yield converted;
      }
    }
  }
}

/** Notices of Slack itself. Their content follows from the channel and its members. */
const NOTICES =
  /^(?:(?:channel|group)_(?:join|leave|topic|purpose|name|archive|unarchive|posting_permissions|convert_to_private)|bot_(?:add|remove|enable|disable)|pinned_item|unpinned_item|sh_room_created|tombstone|huddle_thread|channel_canvas_updated)$/;

function messageOf(
  message: Json,
  { key: channel, channel: described, members }: Conversation,
  { files, report }: { readonly files: ReadonlyMap<string, string>; readonly report: ImportReport },
): NeutralMessage | undefined {
  const ts = textIn(message, 'ts');
  const sentAt = timeOf(ts);
  const subtype = textIn(message, 'subtype');
  if (ts === undefined || sentAt === undefined) return skipped(report, 'Messages without a valid time', channel);
  if (subtype !== undefined && NOTICES.test(subtype)) return skipped(report, 'Notices of Slack itself', subtype);
  const profile = objectIn(message, 'user_profile');
  const bot = objectIn(message, 'bot_profile');
  const botName = textIn(message, 'username') ?? textIn(bot, 'name');
  const sender = textIn(message, 'user') ?? textIn(message, 'bot_id') ?? botName;
  if (sender === undefined) return skipped(report, 'Messages without a sender', `${channel} ${ts}`);
  const threadTs = textIn(message, 'thread_ts');
  const isThread = threadTs !== undefined && (threadTs !== ts || (numberIn(message, 'reply_count') ?? 0) > 0);
  const edited = timeOf(textIn(objectIn(message, 'edited'), 'ts'));
  return {
    key: `${channel} ${ts}`,
    sender,
    senderName: botName ?? textIn(profile, 'real_name'),
    channel: described === null ? null : channel,
    participants: described === null ? members : null,
    thread: isThread ? `${channel} ${threadTs}` : undefined,
    text: textOf(message, subtype),
    sentAt,
    editedAt: edited,
    reactions: objectsIn(message.reactions).map((reaction) => ({
      name: nameOfEmoji(textIn(reaction, 'name') ?? ''),
      users: textsIn(reaction, 'users'),
    })),
    files: objectsIn(message.files).flatMap((file) => fileOf(file, files)),
    starredBy: undefined,
  };
}

function skipped(report: ImportReport, what: string, example: string): undefined {
  report.skip(what, example);
  return undefined;
}

/** Attachments of bots have texts of their own. */
function textOf(message: Json, subtype: string | undefined): string {
  const attached = objectsIn(message.attachments).map((one) => {
    const title = textIn(one, 'title');
    const link = textIn(one, 'title_link');
    const heading = title === undefined ? undefined : link === undefined ? `*${title}*` : `<${link}|${title}>`;
    return [
      textIn(one, 'pretext'),
      heading,
      textIn(one, 'text') ?? (title === undefined ? textIn(one, 'fallback') : undefined),
    ]
      .filter((part) => part !== undefined && part !== '')
      .join('\n');
  });
  const text = [textIn(message, 'text') ?? '', ...attached].filter((part) => part !== '').join('\n');
  return subtype === 'me_message' ? `/me ${text}` : text;
}

/** Without the skin tone, which has no counterpart; names that differ here. */
function nameOfEmoji(name: string): string {
  const plain = name.split('::', 1)[0] ?? name;
  return RENAMED[plain] ?? plain;
}

const RENAMED: Readonly<Record<string, string>> = {
  thumbsup: '+1',
  thumbsdown: '-1',
  simple_smile: 'smile',
  white_check_mark: 'check',
  hankey: 'poop',
  satisfied: 'laughing',
};

/** A file of the archive has its id in its path. All others are links that need a login to Slack. */
function fileOf(file: Json, files: ReadonlyMap<string, string>): readonly NeutralFile[] {
  const key = textIn(file, 'id');
  if (key === undefined || textIn(file, 'mode') === 'tombstone') return [];
  const name = textIn(file, 'name') ?? textIn(file, 'title') ?? key;
  return [{ key, name, path: files.get(key) ?? '' }];
}
