/** The bulk export of Mattermost: one JSON object per line, and the files in `data/`. */
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
import { type Json, numberIn, objectIn, objectsIn, textIn, textsIn } from '../fields.ts';
import { isObject, readJsonLines } from '../json.ts';
import type { ImportReport } from '../report.ts';
import { ImportError } from '../source.ts';
import { markdownOf } from './mattermost-markup.ts';

/** Objects other than posts. They are in memory. */
const MAX_OBJECTS = 2_000_000;

interface Lists {
  team: string;
  readonly teams: string[];
  readonly users: Json[];
  readonly bots: Json[];
  readonly channels: Json[];
  readonly emoji: Json[];
}

/** @throws ImportError it is not a bulk export of Mattermost */
export async function readMattermostArchive(archive: ArchiveFiles, report: ImportReport): Promise<NeutralArchive> {
  const path = linesIn(archive);
  const hash = createHash('sha256').update(JSON.stringify([...archive.files]));
  const lists = await readLists(archive, path, report, (line) => hash.update(JSON.stringify(line)));
  const members = membersOf(lists.users);
  const channels = lists.channels.flatMap((channel) => channelOf(channel, members, lists.teams.length > 1));
  const keys = new Map(channels.map(({ key }) => [key.slice(key.indexOf('/') + 1), key]));
  for (const ignored of archive.ignored) report.skip('Symbolic links and special files', ignored);
  return {
    fingerprint: hash.digest('hex'),
    name: lists.team,
    description: '',
    users: [...lists.users.flatMap((user) => userOf(user, archive)), ...lists.bots.flatMap(botOf)],
    channels,
    groups: [],
    emoji: lists.emoji.flatMap((emoji) => emojiOf(emoji, archive)),
    messages: () => readPosts(archive, path, report),
    markdown: (text, references) => markdownOf(text, references, (name) => keys.get(name)),
    bytesOf: (file) => archive.files.get(file),
    open: (file) => archive.open(file),
  };
}

function linesIn(archive: ArchiveFiles): string {
  const found = [...archive.files.keys()].filter((path) => path.endsWith('.jsonl') && !path.includes('/'));
  const [path, other] = found;
  if (path === undefined)
    throw new ImportError('The archive has no .jsonl file. It is not a bulk export of Mattermost.');
  if (other !== undefined) throw new ImportError(`The archive has several .jsonl files: ${path}, ${other}.`);
  return path;
}

const KNOWN = new Set(['version', 'emoji', 'team', 'channel', 'user', 'bot', 'post', 'direct_channel', 'direct_post']);

async function readLists(
  archive: ArchiveFiles,
  path: string,
  report: ImportReport,
  note: (line: Json) => void,
): Promise<Lists> {
  const lists: Lists = { team: 'Mattermost', teams: [], users: [], bots: [], channels: [], emoji: [] };
  let isFirst = true;
  let objects = 0;
  for await (const { type, object } of objectsOf(archive, path, report)) {
    if (isFirst && type !== 'version')
      throw new ImportError(`${path} does not begin with its version. It is not a bulk export of Mattermost.`);
    isFirst = false;
    if (type === 'post' || type === 'direct_post') continue;
    objects += 1;
    if (objects > MAX_OBJECTS) throw new ImportError(`${path} has more than ${MAX_OBJECTS} users, channels and emoji.`);
    note(object);
    if (type === 'user') lists.users.push(object);
    else if (type === 'bot') lists.bots.push(object);
    else if (type === 'channel') lists.channels.push(object);
    else if (type === 'emoji') lists.emoji.push(object);
    else if (type === 'team') {
      lists.teams.push(textIn(object, 'name') ?? '');
      if (lists.teams.length === 1) lists.team = textIn(object, 'display_name') ?? lists.team;
    } else if (!KNOWN.has(type)) report.skip('Objects that this version does not know', type);
  }
  if (isFirst) throw new ImportError(`${path} is empty.`);
  return lists;
}

async function* objectsOf(archive: ArchiveFiles, path: string, report: ImportReport) {
  for await (const line of readJsonLines(await archive.open(path), path)) {
    const type = isObject(line) ? textIn(line, 'type') : undefined;
    if (!isObject(line) || type === undefined) report.skip('Lines without a type', path);
    else yield { type, object: objectIn(line, type) };
  }
}

function userOf(user: Json, archive: ArchiveFiles): readonly NeutralUser[] {
  const key = textIn(user, 'username')?.toLowerCase();
  if (key === undefined) return [];
  const name = [textIn(user, 'first_name'), textIn(user, 'last_name')].filter(Boolean).join(' ');
  const avatar = textIn(user, 'profile_image');
  const teams = objectsIn(user.teams).map((team) => textIn(team, 'roles') ?? '');
  return [
    {
      key,
      email: textIn(user, 'email') ?? null,
      fullName: name || textIn(user, 'nickname') || key,
      role: roleOf(textIn(user, 'roles') ?? '', teams),
      isActive: !(numberIn(user, 'delete_at') ?? 0),
      isBot: false,
      avatar: avatar === undefined ? undefined : pathOf(avatar, archive),
    },
  ];
}

function roleOf(roles: string, teams: readonly string[]): number {
  if (roles.split(' ').includes('system_admin')) return Role.owner;
  if (roles.split(' ').includes('system_guest')) return Role.guest;
  return teams.some((team) => team.split(' ').includes('team_admin')) ? Role.administrator : Role.member;
}

function botOf(bot: Json): readonly NeutralUser[] {
  const key = textIn(bot, 'username')?.toLowerCase();
  if (key === undefined) return [];
  const isActive = !(numberIn(bot, 'delete_at') ?? 0);
  return [{ key, email: null, fullName: textIn(bot, 'display_name') || key, role: Role.member, isActive, isBot: true }];
}

/** The users of each channel, by its key. */
function membersOf(users: readonly Json[]): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const user of users) {
    const key = textIn(user, 'username')?.toLowerCase() ?? '';
    for (const team of objectsIn(user.teams)) {
      for (const channel of objectsIn(team.channels)) {
        const name = `${textIn(team, 'name')}/${textIn(channel, 'name')}`;
        const list = members.get(name);
        if (list === undefined) members.set(name, [key]);
        else list.push(key);
      }
    }
  }
  return members;
}

function channelOf(
  channel: Json,
  members: ReadonlyMap<string, readonly string[]>,
  hasTeams: boolean,
): readonly NeutralChannel[] {
  const [team, name] = [textIn(channel, 'team'), textIn(channel, 'name')];
  if (team === undefined || name === undefined) return [];
  const key = `${team}/${name}`;
  const shown = textIn(channel, 'display_name') || name;
  return [
    {
      key,
      name: hasTeams ? `${team}: ${shown}` : shown,
      description: textIn(channel, 'purpose') || textIn(channel, 'header') || '',
      isPrivate: textIn(channel, 'type') === 'P',
      isArchived: (numberIn(channel, 'deleted_at') ?? numberIn(channel, 'delete_at') ?? 0) > 0,
      isDefault: name === 'town-square',
      members: members.get(key) ?? [],
    },
  ];
}

function emojiOf(emoji: Json, archive: ArchiveFiles): readonly NeutralEmoji[] {
  const [name, image] = [textIn(emoji, 'name'), textIn(emoji, 'image')];
  return name === undefined || image === undefined ? [] : [{ name, path: pathOf(image, archive) }];
}

/** Paths of attachments are relative to `data/`. */
function pathOf(path: string, archive: ArchiveFiles): string {
  return archive.files.has(`data/${path}`) ? `data/${path}` : path;
}

async function* readPosts(archive: ArchiveFiles, path: string, report: ImportReport): AsyncGenerator<NeutralMessage> {
  let number = 0;
  for await (const { type, object } of objectsOf(archive, path, report)) {
    if (type !== 'post' && type !== 'direct_post') continue;
    const isDirect = type === 'direct_post';
    const place = {
      channel: isDirect ? null : `${textIn(object, 'team')}/${textIn(object, 'channel')}`,
      participants: isDirect ? textsIn(object, 'channel_members').map((name) => name.toLowerCase()) : null,
    };
    const replies = objectsIn(object.replies);
    number += 1;
    const root = `post ${number}`;
    const thread = replies.length > 0 ? root : undefined;
    const converted = postOf(object, { ...place, key: root, thread }, archive, report);
    if (converted !== undefined) yield converted;
    for (const [index, reply] of replies.entries()) {
      const answer = postOf(reply, { ...place, key: `${root} reply ${index + 1}`, thread }, archive, report);
      if (answer !== undefined) yield answer;
    }
  }
}

type Place = Pick<NeutralMessage, 'key' | 'thread' | 'channel' | 'participants'>;

/** System messages say who joined or changed a channel: their content follows from the channel. */
function postOf(post: Json, place: Place, archive: ArchiveFiles, report: ImportReport): NeutralMessage | undefined {
  const sentAt = numberIn(post, 'create_at');
  const sender = textIn(post, 'user')?.toLowerCase();
  const type = textIn(post, 'type') ?? '';
  if (type.startsWith('system_') && type !== 'system_me') return skipped(report, 'Notices of Mattermost itself', type);
  if (sentAt === undefined || sentAt < 0 || sentAt > MAX_TIME_MS)
    return skipped(report, 'Posts without a valid time', place.key);
  if (sender === undefined) return skipped(report, 'Posts without a user', place.key);
  const editedAt = numberIn(post, 'edit_at') ?? 0;
  const text = textIn(post, 'message') ?? '';
  return {
    ...place,
    sender,
    text: type === 'system_me' ? `/me ${text.replace(/^\*|\*$/g, '')}` : text,
    sentAt: Math.floor(sentAt),
    editedAt: editedAt > 0 && editedAt <= MAX_TIME_MS ? editedAt : undefined,
    reactions: objectsIn(post.reactions).map((reaction) => ({
      name: textIn(reaction, 'emoji_name') ?? '',
      users: [textIn(reaction, 'user')?.toLowerCase() ?? ''],
    })),
    files: objectsIn(post.attachments).flatMap((attachment) => fileOf(attachment, archive)),
    starredBy: textsIn(post, 'flagged_by').map((name) => name.toLowerCase()),
  };
}

/** The year 9999. PostgreSQL knows it too. */
const MAX_TIME_MS = 253_402_300_799_000;

function skipped(report: ImportReport, what: string, example: string): undefined {
  report.skip(what, example);
  return undefined;
}

function fileOf(attachment: Json, archive: ArchiveFiles): readonly NeutralFile[] {
  const path = textIn(attachment, 'path');
  return path === undefined ? [] : [{ key: path, path: pathOf(path, archive), name: path.split('/').at(-1) ?? path }];
}
