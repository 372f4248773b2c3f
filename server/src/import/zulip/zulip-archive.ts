/**
 * The export of the reference server: JSON files with rows of its tables (`realm.json`, `messages-000001.json` and further ones,
 * `attachment.json`), and the folders `uploads/`, `avatars/` and `emoji/`, each with a `records.json`.
 */
import { createHash } from 'node:crypto';
import { Role } from '../../directory/records.ts';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import type {
  NeutralArchive,
  NeutralChannel,
  NeutralEdit,
  NeutralFile,
  NeutralGroup,
  NeutralMessage,
  NeutralUser,
} from '../conversion/neutral.ts';
import { isTrue, type Json, numberIn, objectsIn, textIn, timeOf } from '../fields.ts';
import { isObject, readJson } from '../json.ts';
import type { ImportReport } from '../report.ts';
import { ImportError } from '../source.ts';
import { markdownOf } from './zulip-markup.ts';

/** Rows of tables of the reference server. */
interface Tables {
  of(table: string): readonly Json[];
}

/** @throws ImportError it is not an export of the reference server */
export async function readZulipArchive(given: ArchiveFiles, report: ImportReport): Promise<NeutralArchive> {
  const archive = withoutFolder(given);
  if (!archive.files.has('realm.json')) {
    throw new ImportError('The archive has no realm.json. It is not an export of the reference server.');
  }
  const tables = await readTables(archive, 'realm.json');
  const records = await readRecords(archive);
  const places = placesOf(tables);
  const [organization = {}] = tables.of('zerver_realm');
  for (const ignored of archive.ignored) report.skip('Symbolic links and special files', ignored);
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([...archive.files]))
      .update(JSON.stringify(organization))
      .digest('hex'),
    name: textIn(organization, 'name') ?? '',
    description: textIn(organization, 'description') ?? '',
    users: usersOf(tables, records.avatars),
    channels: channelsOf(tables, places),
    groups: groupsOf(tables),
    emoji: records.emoji,
    messages: () => readMessages(archive, { tables, places, report, uploads: records.uploads }),
    markdown: markdownOf,
    bytesOf: (path) => archive.files.get(path),
    open: (path) => archive.open(path),
  };
}

/** A packed export has one folder with everything. */
function withoutFolder(archive: ArchiveFiles): ArchiveFiles {
  const root = [...archive.files.keys()].find((path) => /^[^/]+\/realm\.json$/.test(path));
  if (root === undefined) return archive;
  const folder = root.slice(0, root.indexOf('/') + 1);
  return {
    ...archive,
    files: new Map(
      [...archive.files].flatMap(([path, bytes]) =>
        path.startsWith(folder) ? [[path.slice(folder.length), bytes] as const] : [],
      ),
    ),
    open: (path) => archive.open(folder + path),
  };
}

async function readTables(archive: ArchiveFiles, path: string): Promise<Tables> {
  const value = archive.files.has(path) ? await readJson(await archive.open(path), path) : {};
  if (!isObject(value)) throw new ImportError(`${path} is not an object.`);
  return { of: (table) => objectsIn(value[table]) };
}

interface Records {
  /** Paths of pictures by the ids of users. */
  readonly avatars: ReadonlyMap<string, string>;
  /** Paths of files by their addresses. */
  readonly uploads: ReadonlyMap<string, NeutralFile>;
  readonly emoji: readonly { readonly name: string; readonly path: string; readonly author?: string | undefined }[];
}

async function readRecords(archive: ArchiveFiles): Promise<Records> {
  const listOf = async (folder: string): Promise<readonly Json[]> => {
    const path = `${folder}/records.json`;
    return archive.files.has(path) ? objectsIn(await readJson(await archive.open(path), path)) : [];
  };
  const avatars = new Map<string, string>();
  for (const record of await listOf('avatars')) {
    const [user, path] = [numberIn(record, 'user_profile_id'), textIn(record, 'path')];
    if (user === undefined || path === undefined) continue;
    // The original has a better quality than the picture that was drawn of it.
    if (path.endsWith('.original') || !avatars.has(String(user))) avatars.set(String(user), `avatars/${path}`);
  }
  const attachments = await readTables(archive, 'attachment.json');
  const names = new Map(
    attachments.of('zerver_attachment').map((one) => [textIn(one, 'path_id'), textIn(one, 'file_name')]),
  );
  const uploads = new Map<string, NeutralFile>();
  for (const record of await listOf('uploads')) {
    const [path, key] = [textIn(record, 'path'), textIn(record, 's3_path') ?? textIn(record, 'path')];
    if (path === undefined || key === undefined) continue;
    const name = names.get(key) ?? key.split('/').at(-1) ?? key;
    uploads.set(key, { key, name, path: `uploads/${path}`, isInText: true });
  }
  const emoji = (await listOf('emoji')).flatMap((record) => {
    const [name, path] = [textIn(record, 'name'), textIn(record, 'path')];
    const author = numberIn(record, 'author');
    return name === undefined || path === undefined || path.endsWith('.original')
      ? []
      : [{ name, path: `emoji/${path}`, author: author === undefined ? undefined : String(author) }];
  });
  return { avatars, uploads, emoji };
}

const ROLES = new Set<number>(Object.values(Role));

function usersOf(tables: Tables, avatars: ReadonlyMap<string, string>): readonly NeutralUser[] {
  const rows = ['zerver_userprofile', 'zerver_userprofile_mirrordummy'].flatMap((table) =>
    tables.of(table).map((row) => ({ row, isActive: table === 'zerver_userprofile' && isTrue(row, 'is_active') })),
  );
  const users = rows.flatMap(({ row, isActive }): readonly NeutralUser[] => {
    const id = numberIn(row, 'id');
    if (id === undefined) return [];
    const role = numberIn(row, 'role') ?? Role.member;
    const joined = timeOf(row.date_joined);
    return [
      {
        key: String(id),
        email: textIn(row, 'delivery_email') ?? textIn(row, 'email') ?? null,
        fullName: textIn(row, 'full_name') ?? '',
        role: ROLES.has(role) ? role : Role.member,
        isActive,
        isBot: isTrue(row, 'is_bot'),
        joinedAt: joined === undefined ? undefined : new Date(joined),
        timezone: textIn(row, 'timezone'),
        avatar: textIn(row, 'avatar_source') === 'U' ? avatars.get(String(id)) : undefined,
      },
    ];
  });
  // Messages of the bots of the server itself.
  const others = tables.of('zerver_userprofile_crossrealm').flatMap((row): readonly NeutralUser[] => {
    const [id, email] = [numberIn(row, 'id'), textIn(row, 'email') ?? ''];
    const fullName = email.split('@')[0]?.replaceAll('-', ' ') ?? '';
    return id === undefined
      ? []
      : [{ key: String(id), email: null, fullName, role: Role.member, isActive: false, isBot: true }];
  });
  return [...users, ...others];
}

const PERSONAL = 1;
const CHANNEL = 2;

interface Places {
  /** The channel of a recipient, by its id. */
  readonly channels: ReadonlyMap<number, string>;
  /** The user of a recipient of direct messages between two users. */
  readonly personal: ReadonlyMap<number, string>;
  /** The subscribers of a recipient. */
  readonly members: ReadonlyMap<number, readonly string[]>;
}

function placesOf(tables: Tables): Places {
  const channels = new Map<number, string>();
  const personal = new Map<number, string>();
  for (const row of tables.of('zerver_recipient')) {
    const [id, type, of] = [numberIn(row, 'id'), numberIn(row, 'type'), numberIn(row, 'type_id')];
    if (id === undefined || of === undefined) continue;
    if (type === CHANNEL) channels.set(id, String(of));
    else if (type === PERSONAL) personal.set(id, String(of));
  }
  const members = new Map<number, string[]>();
  for (const row of tables.of('zerver_subscription')) {
    const [recipient, user] = [numberIn(row, 'recipient'), numberIn(row, 'user_profile')];
    if (recipient === undefined || user === undefined || row.active === false) continue;
    const list = members.get(recipient);
    if (list === undefined) members.set(recipient, [String(user)]);
    else list.push(String(user));
  }
  return { channels, personal, members };
}

function channelsOf(tables: Tables, places: Places): readonly NeutralChannel[] {
  const recipients = new Map([...places.channels].map(([recipient, channel]) => [channel, recipient]));
  const defaults = new Set(tables.of('zerver_defaultstream').map((row) => String(numberIn(row, 'stream'))));
  return tables.of('zerver_stream').flatMap((row): readonly NeutralChannel[] => {
    const [id, name] = [numberIn(row, 'id'), textIn(row, 'name')];
    if (id === undefined || name === undefined) return [];
    const created = timeOf(row.date_created);
    const creator = numberIn(row, 'creator');
    return [
      {
        key: String(id),
        name: name.replace(/^!DEACTIVATED:/, ''),
        description: textIn(row, 'description') ?? '',
        isPrivate: isTrue(row, 'invite_only'),
        isArchived: isTrue(row, 'deactivated'),
        isDefault: defaults.has(String(id)),
        createdAt: created === undefined ? undefined : new Date(created),
        creator: creator === undefined ? undefined : String(creator),
        members: places.members.get(recipients.get(String(id)) ?? -1) ?? [],
      },
    ];
  });
}

function groupsOf(tables: Tables): readonly NeutralGroup[] {
  const memberships = Map.groupBy(tables.of('zerver_usergroupmembership'), (row) => numberIn(row, 'user_group'));
  const groups = [...tables.of('zerver_namedusergroup'), ...tables.of('zerver_usergroup')];
  return groups.flatMap((row): readonly NeutralGroup[] => {
    const [id, name] = [numberIn(row, 'usergroup_ptr') ?? numberIn(row, 'id'), textIn(row, 'name')];
    if (id === undefined || name === undefined || isTrue(row, 'is_system_group') || name.startsWith('role:')) return [];
    const members = (memberships.get(id) ?? []).flatMap((one) => numberIn(one, 'user_profile') ?? []);
    return [{ name, description: textIn(row, 'description') ?? '', members: members.map(String) }];
  });
}

interface Reading {
  readonly tables: Tables;
  readonly places: Places;
  readonly report: ImportReport;
  readonly uploads: ReadonlyMap<string, NeutralFile>;
}

async function* readMessages(archive: ArchiveFiles, reading: Reading): AsyncGenerator<NeutralMessage> {
  const reactions = Map.groupBy(reading.tables.of('zerver_reaction'), (row) => numberIn(row, 'message'));
  const paths = [...archive.files.keys()].filter((path) => /^messages-\d+\.json$/.test(path)).sort();
  for (const path of paths) {
    const tables = await readTables(archive, path);
    const flags = Map.groupBy(tables.of('zerver_usermessage'), (row) => numberIn(row, 'message'));
    for (const row of tables.of('zerver_message')) {
      const id = numberIn(row, 'id');
      const message = messageOf(row, { ...reading, reactions: reactions.get(id) ?? [], flags: flags.get(id) ?? [] });
      if (message !== undefined) yield message;
    }
  }
}

/** Bits of the flags of a user's message. */
const READ = 1;
const STARRED = 2;

function messageOf(
  row: Json,
  {
    places,
    report,
    uploads,
    reactions,
    flags,
  }: Reading & { readonly reactions: readonly Json[]; readonly flags: readonly Json[] },
) {
  const [id, sender, recipient] = [numberIn(row, 'id'), numberIn(row, 'sender'), numberIn(row, 'recipient')];
  const sentAt = timeOf(row.date_sent);
  if (id === undefined || sender === undefined || recipient === undefined || sentAt === undefined) {
    report.skip('Messages without a sender, a recipient or a valid time', String(id));
    return undefined;
  }
  const channel = places.channels.get(recipient) ?? null;
  const user = places.personal.get(recipient);
  const participants = user === undefined ? places.members.get(recipient) : [user];
  if (channel === null && participants === undefined) {
    report.skip('Messages whose recipients the archive does not describe', String(id));
    return undefined;
  }
  const text = textIn(row, 'content') ?? '';
  const usersWith = (isWanted: (mask: number) => boolean) =>
    flags.flatMap((flag) =>
      isWanted(numberIn(flag, 'flags_mask') ?? READ) ? String(numberIn(flag, 'user_profile')) : [],
    );
  return {
    key: String(id),
    sender: String(sender),
    channel,
    participants: channel === null ? (participants ?? null) : null,
    topic: textIn(row, 'subject') ?? '',
    text,
    sentAt,
    editedAt: timeOf(row.last_edit_time),
    edits: editsOf(textIn(row, 'edit_history'), report),
    reactions: reactions.map((reaction) => ({
      name: textIn(reaction, 'emoji_name') ?? '',
      users: [String(numberIn(reaction, 'user_profile'))],
    })),
    files: filesIn(text, uploads),
    unreadBy: usersWith((mask) => (mask & READ) === 0),
    starredBy: usersWith((mask) => (mask & STARRED) !== 0),
  };
}

function filesIn(text: string, uploads: ReadonlyMap<string, NeutralFile>): readonly NeutralFile[] {
  const found = new Map<string, NeutralFile>();
  for (const [, path = ''] of text.matchAll(/user_uploads\/(\d+\/[^\s()[\]<>"'`\\?#]{1,1000})/g)) {
    const file = uploads.get(path);
    if (file !== undefined) found.set(path, file);
  }
  return [...found.values()];
}

/** The history is a text of JSON, newest first. */
function editsOf(history: string | undefined, report: ImportReport): readonly NeutralEdit[] {
  if (history === undefined || history === '' || history === 'null') return [];
  let entries: readonly Json[];
  try {
    entries = objectsIn(JSON.parse(history));
  } catch {
    report.skip('Edit histories that are not valid');
    return [];
  }
  return entries.toReversed().flatMap((entry) => {
    const [previousText, editedAt] = [textIn(entry, 'prev_content'), timeOf(entry.timestamp)];
    if (previousText === undefined)
      report.skip('Moves in the history of messages: the messages are where they were last');
    if (previousText === undefined || editedAt === undefined) return [];
    return [{ user: String(numberIn(entry, 'user_id')), editedAt, previousText }];
  });
}
