/** The bulk export of Mattermost: one JSON object per line, and the files in `data/`. */
import { createHash } from 'node:crypto';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import { codeOfSharedName } from '../conversion/emoji.ts';
import { followedThreads } from '../conversion/followed-threads.ts';
import type { NeutralEmoji, NeutralFile, NeutralMessage } from '../conversion/neutral.ts';
import type { NeutralArchive } from '../conversion/neutral-archive.ts';
import { checkCount } from '../conversion/people.ts';
import { profileTables } from '../conversion/profile-tables.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { FieldNotes } from '../field-notes.ts';
import { isTrue, type Json, numberIn, objectIn, objectsIn, textIn, textsIn } from '../fields.ts';
import { isObject, readJsonLines } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { ImportReport } from '../report.ts';
import { ImportError } from '../source.ts';
import { attachmentText } from './mattermost-attachments.ts';
import { FIELDS_OF_LINES, LEFT_LINES, MATTERMOST_FIELDS, POST_LINES, STORED_LINES } from './mattermost-fields.ts';
import { markdownOf } from './mattermost-markup.ts';
import {
  alertWordRows,
  botOf,
  ChannelNames,
  channelsOf,
  directReadsOf,
  foldersOf,
  PROFILE_NAMES,
  pathOf,
  profilesOf,
  subscriptionsOf,
  userOf,
} from './mattermost-people.ts';
import { closedTeamsOf } from './mattermost-teams.ts';

/** @throws ImportError it is not a bulk export of Mattermost */
export async function readMattermostArchive(
  archive: ArchiveFiles,
  report: ImportReport,
  rows: RowStore,
): Promise<NeutralArchive> {
  const path = linesIn(archive);
  const hash = createHash('sha256').update(JSON.stringify([...archive.files]));
  const notes = new FieldNotes(report, MATTERMOST_FIELDS);
  await storeLines(archive, path, rows, { report, notes, note: (line) => hash.update(JSON.stringify(line)) });
  for (const [kind, limit] of Object.entries(COUNTED))
    checkCount(`objects of the type ${kind}`, rows.count(kind), limit);
  const closedTeams = closedTeamsOf(rows);
  const channels = channelsOf(rows, closedTeams);
  const channelNames = new ChannelNames(channels);
  const [team = {}] = [...rows.of('team')];
  for (const ignored of archive.ignored) report.skip('Symbolic links and special files', ignored);
  return {
    fingerprint: hash.digest('hex'),
    name: textIn(team, 'display_name') ?? 'Mattermost',
    description: textIn(team, 'description') ?? '',
    users: [
      ...[...rows.of('user')].flatMap((user) => userOf(user, archive)),
      ...[...rows.of('bot')].flatMap((bot) => botOf(bot, archive)),
    ],
    channels,
    groups: [...closedTeams.values()],
    folders: foldersOf(rows),
    emoji: [...rows.of('emoji')].flatMap((emoji) => emojiOf(emoji, archive)),
    subscriptions: () => subscriptionsOf(rows),
    readDirect: () => directReadsOf(rows),
    messages: () => readPosts(archive, path, { report, notes, names: new Set() }),
    others: {
      beforeMessages: [
        ...profileTables(PROFILE_NAMES, () => profilesOf(rows)),
        { table: 'alert_words', rows: (lookup) => alertWordRows(rows, lookup) },
      ],
      afterMessages: [followedThreads],
    },
    codeOfEmoji: codeOfSharedName,
    markdown: (text, references, channel) => markdownOf(text, references, (name) => channelNames.keyOf(name, channel)),
    bytesOf: (file) => archive.files.get(file),
    open: (file) => archive.open(file),
  };
}

const COUNTED: Readonly<Record<string, number>> = {
  ...{ user: LIMITS.users, bot: LIMITS.users, channel: LIMITS.channels, emoji: LIMITS.emoji },
  ...{ team: LIMITS.channels, direct_channel: LIMITS.conversations },
};

function linesIn(archive: ArchiveFiles): string {
  const top = [...archive.files.keys()].filter((path) => !path.includes('/'));
  // Some tools call the lines `.json`.
  const [path, other] = ['.jsonl', '.json'].flatMap((ending) =>
    top.filter((one) => one.toLowerCase().endsWith(ending)),
  );
  if (path === undefined)
    throw new ImportError('The archive has no .jsonl file. It is not a bulk export of Mattermost.');
  const ending = /\.jsonl?$/i.exec(path)?.[0].toLowerCase() ?? '';
  if (other?.toLowerCase().endsWith(ending))
    throw new ImportError(
      `The archive has several ${ending} files: ${path}, ${other}. A bulk export of Mattermost has one.`,
    );
  return path;
}

interface Storing {
  readonly report: ImportReport;
  readonly notes: FieldNotes;
  readonly note: (line: Json) => void;
}

async function storeLines(
  archive: ArchiveFiles,
  path: string,
  rows: RowStore,
  { report, notes, note }: Storing,
): Promise<void> {
  let isFirst = true;
  for await (const { type, object } of objectsOf(archive, path, report)) {
    if (isFirst && type !== 'version')
      throw new ImportError(`${path} does not begin with its version. It is not a bulk export of Mattermost.`);
    isFirst = false;
    if (POST_LINES.has(type)) continue;
    const reason = Object.hasOwn(LEFT_LINES, type) ? LEFT_LINES[type] : undefined;
    if (STORED_LINES.has(type)) {
      notes.note(type, object);
      for (const [list, kind] of FIELDS_OF_LINES[type] ?? [])
        noteInner(object, list, (inner) => notes.note(kind, inner));
      note(object);
      rows.add(type, object);
    } else if (reason !== undefined) {
      if (reason !== '') report.skip(`Lines of the type ${type}: ${reason}`, textIn(object, 'name'));
    } else report.skipNamed('Lines of a type that this version does not know', type);
  }
  if (isFirst) throw new ImportError(`${path} is empty.`);
  rows.sorted();
}

/** @param path names of fields with lists or objects, separated by dots */
function noteInner(object: Json, path: string, note: (inner: Json) => void): void {
  const [name = '', ...rest] = path.split('.');
  const value = object[name];
  for (const inner of isObject(value) ? [value] : objectsIn(value)) {
    if (rest.length === 0) note(inner);
    else noteInner(inner, rest.join('.'), note);
  }
}

async function* objectsOf(archive: ArchiveFiles, path: string, report: ImportReport) {
  for await (const line of readJsonLines(await archive.open(path), path)) {
    const type = isObject(line) ? textIn(line, 'type') : undefined;
    if (!isObject(line) || type === undefined) report.skip('Lines without a type', path);
    else yield { type, object: objectIn(line, type) };
  }
}

function emojiOf(emoji: Json, archive: ArchiveFiles): readonly NeutralEmoji[] {
  const [name, image] = [textIn(emoji, 'name'), textIn(emoji, 'image')];
  return name === undefined || image === undefined ? [] : [{ name, path: pathOf(image, archive) }];
}

interface Reading {
  readonly report: ImportReport;
  readonly notes: FieldNotes;
  /** The names that webhooks have used. */
  readonly names: Set<string>;
}

async function* readPosts(archive: ArchiveFiles, path: string, reading: Reading): AsyncGenerator<NeutralMessage> {
  const { report, notes } = reading;
  let number = 0;
  for await (const { type, object } of objectsOf(archive, path, report)) {
    if (type !== 'post' && type !== 'direct_post') continue;
    const isDirect = type === 'direct_post';
    const place = {
      channel: isDirect ? null : `${textIn(object, 'team')}/${textIn(object, 'channel')}`,
      participants: isDirect ? textsIn(object, 'channel_members').map((name) => name.toLowerCase()) : null,
    };
    const replies = objectsIn(object.replies);
    notes.note(type, object);
    number += 1;
    const root = `post ${number}`;
    const thread = replies.length > 0 ? root : undefined;
    const converted = postOf(object, { ...place, key: root, thread }, archive, reading);
    if (converted !== undefined) yield converted;
    for (const [index, reply] of replies.entries()) {
      notes.note('reply', reply);
      const answer = postOf(reply, { ...place, key: `${root} reply ${index + 1}`, thread }, archive, reading);
      if (answer !== undefined) yield answer;
    }
  }
}

type Place = Pick<NeutralMessage, 'key' | 'thread' | 'channel' | 'participants'>;

/** System messages say who joined or changed a channel: their content follows from the channel. */
function postOf(
  post: Json,
  place: Place,
  archive: ArchiveFiles,
  { report, notes, names }: Reading,
): NeutralMessage | undefined {
  const sentAt = numberIn(post, 'create_at');
  const sender = textIn(post, 'user')?.toLowerCase();
  const type = textIn(post, 'type') ?? '';
  if (type.startsWith('system_') && type !== 'system_me') {
    report.skip('Notices of Mattermost itself', type);
    return undefined;
  }
  if (sentAt === undefined || sentAt <= 0 || sentAt > MAX_TIME_MS)
    return skipped(report, 'Posts without a valid time', place.key);
  if (sender === undefined) return skipped(report, 'Posts without a user', place.key);
  const editedAt = numberIn(post, 'edit_at') ?? 0;
  const props = objectIn(post, 'props');
  notes.note('props', props);
  for (const one of objectsIn(props.attachments)) notes.note('message attachment', one);
  if (isTrue(post, 'is_pinned')) report.skip('Pinned posts: Heddle has no pins', place.key);
  const text = [textIn(post, 'message') ?? '', ...objectsIn(props.attachments).map(attachmentText)]
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    ...place,
    ...senderOf(sender, props, names),
    text: type === 'system_me' ? `/me ${text.replace(/^\*|\*$/g, '')}` : text,
    sentAt: Math.floor(sentAt),
    editedAt: editedAt > 0 && editedAt <= MAX_TIME_MS ? editedAt : undefined,
    reactions: objectsIn(post.reactions).map((reaction) => ({
      name: textIn(reaction, 'emoji_name') ?? '',
      users: [textIn(reaction, 'user')?.toLowerCase() ?? ''],
    })),
    files: objectsIn(post.attachments).flatMap((attachment) => fileOf(attachment, archive)),
    starredBy: textsIn(post, 'flagged_by').map((name) => name.toLowerCase()),
    followers:
      place.thread === place.key
        ? objectsIn(post.thread_followers).flatMap((one) => textIn(one, 'user')?.toLowerCase() ?? [])
        : undefined,
  };
}

/** Further names of webhooks are those of the accounts that made the webhooks. */
const MAX_NAMES = 1000;

/** A webhook posts as the account that made it, under a name that it chooses. Mattermost shows the name. */
function senderOf(user: string, props: Json, names: Set<string>): Pick<NeutralMessage, 'sender' | 'senderName'> {
  const name = (textIn(props, 'override_username') ?? '').trim();
  const isWebhook = isTrue(props, 'from_webhook') || textIn(props, 'from_webhook') === 'true';
  if (!isWebhook || name === '' || name.toLowerCase() === user) return { sender: user };
  const key = `${user} as ${name}`;
  if (names.size < MAX_NAMES) names.add(key);
  return names.has(key) ? { sender: key, senderName: name } : { sender: user };
}

/** The year 9999. PostgreSQL knows it too. */
const MAX_TIME_MS = 253_402_300_799_000;

function skipped(report: ImportReport, what: string, example: string): undefined {
  report.skipMessages(what, example);
  return undefined;
}

function fileOf(attachment: Json, archive: ArchiveFiles): readonly NeutralFile[] {
  const path = textIn(attachment, 'path');
  return path === undefined ? [] : [{ key: path, path: pathOf(path, archive), name: path.split('/').at(-1) ?? path }];
}
