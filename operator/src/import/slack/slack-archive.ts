/** The export of a Slack workspace: `users.json`, the lists of conversations, and a file for each day of each conversation. */
import { createHash } from 'node:crypto';
import { Role } from '@heddle/server/directory/records.ts';
import { mrkdwnOfBlocks } from '@heddle/server/markup/slack/blocks.ts';
import { decoded, linked } from '@heddle/server/markup/slack/escapes.ts';
import { mrkdwnOfMessage } from '@heddle/server/markup/slack/messages.ts';
import { plainMrkdwn } from '@heddle/server/markup/slack/mrkdwn.ts';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import { codeOfSharedName } from '../conversion/emoji.ts';
import type {
  NeutralChannel,
  NeutralEmoji,
  NeutralFile,
  NeutralGroup,
  NeutralMessage,
  NeutralReaction,
  NeutralSubscription,
  NeutralUser,
} from '../conversion/neutral.ts';
import type { NeutralArchive } from '../conversion/neutral-archive.ts';
import { checkCount } from '../conversion/people.ts';
import { type Profile, profileTables } from '../conversion/profile-tables.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { FieldNotes } from '../field-notes.ts';
import { dateOf, isTrue, type Json, numberIn, objectIn, objectsIn, textIn, textsIn, timeOf } from '../fields.ts';
import { isObject } from '../json.ts';
import { readJsonItems } from '../json-items.ts';
import { LIMITS } from '../limits.ts';
import type { ImportReport } from '../report.ts';
import { ImportError } from '../source.ts';
import { SLACK_FIELDS } from './slack-fields.ts';
import { markdownOf } from './slack-markup.ts';
import { INTEGRATIONS_FILE, readIntegrations, SLACKBOT, SlackSenders } from './slack-senders.ts';

interface Conversation {
  readonly key: string;
  /** The folder of its days. */
  readonly folder: string;
  readonly isChannel: boolean;
  /** The members of a direct conversation. */
  readonly members: readonly string[];
}

/** @throws ImportError it is not an export of Slack */
export async function readSlackArchive(
  archive: ArchiveFiles,
  report: ImportReport,
  rows: RowStore,
): Promise<NeutralArchive> {
  const notes = new FieldNotes(report, SLACK_FIELDS);
  const hash = createHash('sha256').update(JSON.stringify([...archive.files]));
  await storeLists(archive, rows, { notes, report, note: (item) => hash.update(JSON.stringify(item)) });
  const described = ['users', 'org_users'].flatMap((kind) => {
    checkCount('users', rows.count(kind), LIMITS.users);
    return [...rows.of(kind)].flatMap((user) => userOf(user, archive) ?? []);
  });
  const users = withSlackbot(described, rows);
  const integrations = await readIntegrations(archive);
  checkCount(
    'conversations',
    DIRECT.reduce((sum, kind) => sum + rows.count(kind), 0),
    LIMITS.conversations,
  );
  const channels = CHANNELS.flatMap((kind) => {
    checkCount('channels', rows.count(kind), LIMITS.channels);
    return [...rows.of(kind)].flatMap((one) => channelOf(one, kind === 'groups', report));
  });
  const conversations = [
    ...channels.map(({ key, folder }) => ({ key, folder, isChannel: true, members: [] })),
    ...DIRECT.flatMap((kind) => [...rows.of(kind)].flatMap(directOf)),
  ];
  const days = daysOf(archive, conversations, report);
  for (const path of archive.ignored) report.skip('Symbolic links and special files', path);
  reportOtherFiles(archive, report);
  return {
    fingerprint: hash.digest('hex'),
    name: 'Slack',
    description: '',
    users,
    channels: channels.map(({ folder: _, ...channel }) => channel),
    groups: GROUPS.flatMap((kind) => [...rows.of(kind)].flatMap(groupOf)),
    emoji: emojiOf(archive),
    subscriptions: () => subscriptionsOf(rows),
    messages: () => readMessages(archive, days, { notes, report, senders: new SlackSenders(integrations) }),
    others: { beforeMessages: profileTables(PROFILE_NAMES, () => profilesOf(rows)), afterMessages: [] },
    codeOfEmoji: codeOfSharedName,
    markdown: markdownOf,
    bytesOf: (path) => archive.files.get(path),
    open: (path) => archive.open(path),
  };
}

const CHANNELS = ['channels', 'groups'] as const;
const DIRECT = ['dms', 'mpims'] as const;
/** Not in exports of Slack itself, but tools add it. */
const GROUPS = ['usergroups'] as const;
const LISTS = ['users', 'org_users', ...CHANNELS, ...DIRECT, ...GROUPS] as const;

interface Listing {
  readonly notes: FieldNotes;
  readonly report: ImportReport;
  readonly note: (item: Json) => void;
}

async function storeLists(archive: ArchiveFiles, rows: RowStore, { notes, report, note }: Listing): Promise<void> {
  if (!archive.files.has('users.json') && !archive.files.has('org_users.json')) {
    throw new ImportError('The archive has no users.json. It is not an export of Slack.');
  }
  for (const name of LISTS) {
    const path = `${name}.json`;
    if (!archive.files.has(path)) continue;
    for await (const { item } of readJsonItems(await archive.open(path), path, 'list')) {
      if (!isObject(item)) {
        report.skip('Items of lists that are not objects', path);
        continue;
      }
      notes.note(KINDS[name], item);
      if (name === 'users' || name === 'org_users') notes.note('profile', objectIn(item, 'profile'));
      note(item);
      rows.add(name, item);
    }
  }
  rows.sorted();
}

const KINDS = {
  ...{ users: 'user', org_users: 'user', channels: 'channel', groups: 'channel', dms: 'channel', mpims: 'channel' },
  usergroups: 'usergroup',
} as const;

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
    isBot: isTrue(user, 'is_bot') || key === SLACKBOT.key,
    timezone: textIn(user, 'tz'),
    avatar,
  };
}

/** Users can have direct messages with Slackbot, which the lists of users do not always have. */
function withSlackbot(users: readonly NeutralUser[], rows: RowStore): readonly NeutralUser[] {
  if (users.some(({ key }) => key === SLACKBOT.key)) return users;
  const conversations = DIRECT.flatMap((kind) => [...rows.of(kind)].flatMap(directOf));
  if (!conversations.some(({ members }) => members.includes(SLACKBOT.key))) return users;
  const { key, name: fullName } = SLACKBOT;
  return [...users, { key, email: null, fullName, role: Role.member, isActive: false, isBot: true }];
}

function roleOf(user: Json): number {
  if (isTrue(user, 'is_owner') || isTrue(user, 'is_primary_owner')) return Role.owner;
  if (isTrue(user, 'is_admin')) return Role.administrator;
  return isTrue(user, 'is_restricted') || isTrue(user, 'is_ultra_restricted') ? Role.guest : Role.member;
}

const PROFILE_NAMES = ['Title', 'Phone', 'Pronouns', 'Skype'];

function* profilesOf(rows: RowStore): Generator<Profile> {
  for (const kind of ['users', 'org_users']) {
    for (const user of rows.of(kind)) {
      const profile = objectIn(user, 'profile');
      yield {
        user: textIn(user, 'id') ?? '',
        texts: {
          ...{ Title: plainIn(profile, 'title'), Phone: plainIn(profile, 'phone') },
          ...{ Pronouns: plainIn(profile, 'pronouns'), Skype: plainIn(profile, 'skype') },
        },
        status: {
          text: plainIn(profile, 'status_text') ?? '',
          emoji: (textIn(profile, 'status_emoji') ?? '').replaceAll(/^:|:$/g, ''),
        },
      };
    }
  }
}

/** A text that has no markup here. */
function plainIn(object: Json, name: string): string | undefined {
  const text = textIn(object, name);
  return text === undefined ? undefined : plainMrkdwn(text);
}

function channelOf(
  channel: Json,
  isPrivate: boolean,
  report: ImportReport,
): readonly (NeutralChannel & { readonly folder: string })[] {
  const [key, name] = [textIn(channel, 'id'), textIn(channel, 'name')];
  if (key === undefined || name === undefined) return [];
  for (const pin of objectsIn(channel.pins))
    report.skip('Pinned messages and files: Heddle has no pins', textIn(pin, 'id'));
  const texts = ['purpose', 'topic'].map((field) => textIn(objectIn(channel, field), 'value')?.trim() ?? '');
  return [
    {
      key,
      folder: name,
      name,
      description: [...new Set(texts.filter((text) => text !== ''))].join(' — '),
      // Exports of several workspaces have private channels among the public ones.
      isPrivate: isPrivate || isTrue(channel, 'is_private'),
      isArchived: isTrue(channel, 'is_archived'),
      isDefault: isTrue(channel, 'is_general'),
      createdAt: dateOf(channel.created),
      creator: textIn(channel, 'creator'),
    },
  ];
}

function* subscriptionsOf(rows: RowStore): Generator<NeutralSubscription> {
  for (const kind of CHANNELS) {
    for (const channel of rows.of(kind)) {
      const key = textIn(channel, 'id');
      if (key !== undefined) for (const user of new Set(textsIn(channel, 'members'))) yield { user, channel: key };
    }
  }
}

function groupOf(group: Json): readonly NeutralGroup[] {
  const [key, name] = [textIn(group, 'id'), textIn(group, 'handle') || textIn(group, 'name')];
  if (key === undefined || name === undefined) return [];
  return [
    {
      ...{ key, name, description: plainIn(group, 'description') ?? '', members: textsIn(group, 'users') },
      ...{ creator: textIn(group, 'created_by'), createdAt: dateOf(group.date_create) },
      isDeactivated: (numberIn(group, 'date_delete') ?? 0) > 0,
    },
  ];
}

/** The folder of a direct conversation has its id as its name, and that of a group its name. */
function directOf(conversation: Json): readonly Conversation[] {
  const key = textIn(conversation, 'id');
  if (key === undefined) return [];
  const folder = textIn(conversation, 'name') ?? key;
  return [{ key, folder, isChannel: false, members: textsIn(conversation, 'members') }];
}

const READ = new RegExp(
  `^(?:(?:${LISTS.join('|')})\\.json|(?:.*/)?[^/]+/\\d{4}-\\d\\d-\\d\\d\\.json|emojis?/.*|avatars/.*|(?:__uploads|uploads|files|attachments|.*/attachments)/.*)$`,
);

const OTHER_FILES: Readonly<Record<string, string>> = {
  'canvases.json': 'Canvases: Heddle has none',
  'lists.json': 'Lists: Heddle has none',
  [INTEGRATIONS_FILE]: 'The log of integrations: only the names of bots are imported',
  'huddle_transcripts.json': 'Transcripts of huddles: Heddle has none',
  'file_conversations.json': 'Where files were shared: it follows from the messages',
  'content_flags.json': 'Flagged content: Heddle has no such flags',
};

function reportOtherFiles(archive: ArchiveFiles, report: ImportReport): void {
  for (const path of archive.files.keys()) {
    if (READ.test(path)) continue;
    const reason = Object.hasOwn(OTHER_FILES, path) ? OTHER_FILES[path] : undefined;
    report.skip(reason ?? 'Files of the archive that this version does not know', path);
  }
}

interface Day {
  readonly path: string;
  readonly folder: string;
  /** Undefined: no list names it, so nobody knows who could read its messages. */
  readonly conversation: Conversation | undefined;
}

/** A file of a message, with its id. */
const UPLOADED = /(?:^|\/)(?:__uploads|uploads|files|attachments)\/(?:.*\/)?(F[A-Z0-9]{6,})(?:[/._-]|$)/;
const DAY = /^(?:.*\/)?([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/;

function daysOf(archive: ArchiveFiles, conversations: readonly Conversation[], report: ImportReport): readonly Day[] {
  const byFolder = new Map([
    ...conversations.map((one) => [one.key, one] as const),
    ...conversations.map((one) => [one.folder.normalize('NFC'), one] as const),
  ]);
  const days = [...archive.files.keys()].flatMap((path) => {
    const [, folder = '', date] = DAY.exec(path) ?? [];
    if (date === undefined || UPLOADED.test(path)) return [];
    const conversation = byFolder.get(folder);
    if (conversation === undefined) report.skip('Folders of conversations that no list names', folder);
    return [{ path, folder, conversation, date }];
  });
  return days.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** `emoji.json` and the folder `emoji/` come from tools that complete an export: Slack's own export has no pictures. */
function emojiOf(archive: ArchiveFiles): readonly NeutralEmoji[] {
  return [...archive.files.keys()].flatMap((path) => {
    const [, name] = /^emojis?\/([^/]+)\.(?:png|gif|jpe?g|webp)$/i.exec(path) ?? [];
    return name === undefined ? [] : [{ name, path }];
  });
}

async function* readMessages(
  archive: ArchiveFiles,
  days: readonly Day[],
  { notes, report, senders }: Omit<Reading, 'files'>,
): AsyncGenerator<NeutralMessage> {
  const files = new Map<string, string>();
  for (const path of archive.files.keys()) {
    const [, id] = UPLOADED.exec(path) ?? [];
    if (id !== undefined) files.set(id, path);
  }
  const reading = { files, senders, notes, report };
  for (const { path, folder, conversation } of days) {
    for await (const { list, item: message } of readJsonItems(await archive.open(path), path)) {
      if (list !== '' || !isObject(message)) report.skipMessages('Messages that are not objects', path);
      else if (conversation === undefined) {
        if (!isNotice(message)) report.skipMessages('Messages in folders that no list names', folder);
      } else {
        notes.note('message', message);
        const converted = messageOf(message, conversation, reading);
        if (converted !== undefined) yield converted;
      }
    }
  }
}

interface Reading {
  readonly files: ReadonlyMap<string, string>;
  readonly senders: SlackSenders;
  readonly notes: FieldNotes;
  readonly report: ImportReport;
}

/** Notices of Slack itself. Their content follows from the channel and its members. */
const NOTICES =
  /^(?:(?:channel|group)_(?:join|leave|topic|purpose|name|archive|unarchive|posting_permissions|convert_to_private)|bot_(?:add|remove|enable|disable)|pinned_item|unpinned_item|sh_room_created|tombstone|huddle_thread|channel_canvas_updated)$/;

function isNotice(message: Json): boolean {
  return NOTICES.test(textIn(message, 'subtype') ?? '');
}

function messageOf(
  message: Json,
  { key: channel, isChannel, members }: Conversation,
  reading: Reading,
): NeutralMessage | undefined {
  const { files, senders, report } = reading;
  const subtype = textIn(message, 'subtype');
  if (isNotice(message)) {
    report.skip('Notices of Slack itself', subtype);
    return undefined;
  }
  const ts = textIn(message, 'ts');
  const sentAt = sentAtOf(ts);
  if (ts === undefined || sentAt === undefined) return skipped(report, 'Messages without a valid time', channel);
  const sender = senders.of(message);
  if (sender === undefined) return skipped(report, 'Messages without a sender', `${channel} ${ts}`);
  const threadTs = textIn(message, 'thread_ts');
  const isThread = threadTs !== undefined && (threadTs !== ts || (numberIn(message, 'reply_count') ?? 0) > 0);
  const edited = timeOf(textIn(objectIn(message, 'edited'), 'ts'));
  return {
    key: `${channel} ${ts}`,
    sender: sender.key,
    senderName: sender.name,
    channel: isChannel ? channel : null,
    participants: isChannel ? null : members,
    thread: isThread ? `${channel} ${threadTs}` : undefined,
    text: textOf(message, subtype, reading),
    sentAt,
    editedAt: edited,
    reactions: reactionsIn(message).map((reaction) => reactionOf(reaction, report)),
    files: filesOf(message).flatMap((file) => fileOf(file, files, report)),
    starredBy: undefined,
  };
}

/** Until 2018, people reacted to a comment on a file, or to the file. */
function reactionsIn(message: Json): readonly Json[] {
  const isFile = textIn(message, 'subtype') === 'file_share';
  const places = [message, objectIn(message, 'comment'), isFile ? objectIn(message, 'file') : {}];
  return places.map(({ reactions }) => objectsIn(reactions)).find(({ length }) => length > 0) ?? [];
}

/** Slack names some fifty people of a reaction, and counts all. */
function reactionOf(reaction: Json, report: ImportReport): NeutralReaction {
  const [name, users] = [textIn(reaction, 'name') ?? '', textsIn(reaction, 'users')];
  if ((numberIn(reaction, 'count') ?? 0) > users.length)
    report.skip('Reactions with more people than the archive names', name);
  return { name, users };
}

const TS = /^\d{10,12}(?:\.\d+)?$/;

/** Seconds with at least ten digits: Slack is younger than the year 2001. */
function sentAtOf(ts: string | undefined): number | undefined {
  return TS.test(ts ?? '') && Number(ts) < MAX_TS_SECONDS ? timeOf(ts) : undefined;
}

/** The year 10000. */
const MAX_TS_SECONDS = 253_402_300_800;

function skipped(report: ImportReport, what: string, example: string): undefined {
  report.skipMessages(what, example);
  return undefined;
}

/** In mrkdwn. */
function textOf(message: Json, subtype: string | undefined, { notes, report }: Reading): string {
  const attachments = objectsIn(message.attachments);
  for (const attachment of attachments) notes.note('attachment', attachment);
  for (const block of [message, ...attachments].flatMap(({ blocks }) => objectsIn(blocks))) {
    if (mrkdwnOfBlocks([block]) === '')
      report.skip('Blocks that only work in Slack, such as buttons', textIn(block, 'type'));
  }
  const isByPerson = textIn(message, 'bot_id') === undefined && subtype !== 'bot_message';
  const links = filesOf(message).filter(isExternal).map(linkOf);
  const text = [mrkdwnOfMessage(message, isByPerson), ...links].filter((part) => part !== '').join('\n');
  return subtype === 'me_message' ? `/me ${text}` : text;
}

/** Until 2018, a message that shared a file had one file. Comments on a file and mentions of it name it as well. */
function filesOf(message: Json): readonly Json[] {
  if (message.files !== undefined || textIn(message, 'subtype') !== 'file_share') return objectsIn(message.files);
  return objectsIn([message.file]);
}

/** A file of another service, such as Google Drive. */
function isExternal(file: Json): boolean {
  return textIn(file, 'mode') === 'external' || isTrue(file, 'is_external');
}

function linkOf(file: Json): string {
  const [title, name] = [textIn(file, 'title'), textIn(file, 'name')];
  const urls = ['external_url', 'url_private', 'permalink'].map((field) => textIn(file, field));
  return linked(decoded(title || name || 'file'), decoded(urls.find(Boolean) ?? ''));
}

/** A file of the archive has its id in its path. All others are links that need a login to Slack. */
function fileOf(file: Json, files: ReadonlyMap<string, string>, report: ImportReport): readonly NeutralFile[] {
  const key = textIn(file, 'id');
  if (key === undefined || isExternal(file)) return [];
  if (textIn(file, 'mode') === 'tombstone') {
    report.skip('Files that were deleted in Slack', key);
    return [];
  }
  const name = textIn(file, 'name') ?? textIn(file, 'title') ?? key;
  return [{ key, name, path: files.get(key) ?? '' }];
}
