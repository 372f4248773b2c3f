/** A `mongodump` of Rocket.Chat: a file of BSON documents for each collection, and files in GridFS. */
import { createHash } from 'node:crypto';
import { decoded } from '@heddle/server/domain/uploads/names.ts';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import type { BlobStore } from '../conversion/blob-store.ts';
import { codeOfSharedName } from '../conversion/emoji.ts';
import { followedThreads } from '../conversion/followed-threads.ts';
import type { NeutralEmoji } from '../conversion/neutral.ts';
import type { NeutralArchive } from '../conversion/neutral-archive.ts';
import { checkCount } from '../conversion/people.ts';
import { profileTables } from '../conversion/profile-tables.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { FieldNotes } from '../field-notes.ts';
import { type Json, numberIn, textIn, textsIn } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import type { ImportReport } from '../report.ts';
import { ImportError } from '../source.ts';
import { Dump, idIn } from './bson-documents.ts';
import { LEFT_COLLECTIONS, READ_COLLECTIONS, ROCKETCHAT_FIELDS } from './rocketchat-fields.ts';
import { markdownOf } from './rocketchat-markup.ts';
import { readMessages } from './rocketchat-messages.ts';
import {
  channelsOf,
  directReadsOf,
  foldersOf,
  PROFILE_NAMES,
  privateTeamsOf,
  profilesOf,
  READ_FIELDS,
  roomsOf,
  subscriptionsOf,
  userOf,
} from './rocketchat-people.ts';

/** @throws ImportError it is not a dump of Rocket.Chat */
export async function readRocketChatArchive(
  archive: ArchiveFiles,
  report: ImportReport,
  rows: RowStore,
  blobs: BlobStore,
): Promise<NeutralArchive> {
  const folder = folderOf(archive);
  const dump = new Dump(archive, folder);
  const notes = new FieldNotes(report, ROCKETCHAT_FIELDS);
  const hash = createHash('sha256').update(JSON.stringify([...archive.files]));
  for (const collection of Object.keys(READ_FIELDS)) {
    for await (const document of dump.documents(collection)) {
      if (notes.knows(collection)) notes.note(collection, document);
      const stored = only(document, READ_FIELDS[collection] ?? []);
      hash.update(JSON.stringify(stored));
      rows.add(collection, stored);
    }
  }
  rows.sorted();
  for (const [collection, limit] of Object.entries(COUNTED)) checkCount(collection, rows.count(collection), limit);
  for (const [bucket, path] of Object.entries(BUCKETS)) await storeFiles(dump, { bucket, path }, blobs);
  for (const path of archive.ignored) report.skip('Symbolic links and special files', path);
  const beside = filesBeside(archive, rows);
  reportOthers(archive, dump, { folder, used: new Set(beside.values()) }, report);
  const userKeys = new Map(
    [...rows.of('users')].flatMap((user) => entryOf(textIn(user, 'username'), idIn(user, '_id'))),
  );
  const rooms = roomsOf(rows, userKeys);
  const privateTeams = privateTeamsOf(rows);
  const channels = channelsOf(rows, rooms, privateTeams);
  const channelKeys = new Map(
    [...rows.of('rocketchat_room')].flatMap((room) => entryOf(textIn(room, 'name'), idIn(room, '_id'))),
  );
  const names = {
    userKey: (name: string) => userKeys.get(name),
    channelKey: (name: string) => channelKeys.get(name),
  };
  const avatars = avatarsOf(rows);
  const reading = {
    ...{ dump, rooms, userKeys, notes, report },
    pathOf: (id: string) => beside.get(id) ?? BUCKETS.rocketchat_uploads + id,
  };
  return {
    fingerprint: hash.digest('hex'),
    name: (await siteName(dump)) ?? 'Rocket.Chat',
    description: '',
    users: [...rows.of('users')].flatMap((user) =>
      userOf(user, (id, username) => avatars.get(id) ?? avatars.get(username)),
    ),
    channels,
    groups: [...privateTeams.values()],
    folders: foldersOf(rows),
    emoji: [...rows.of('rocketchat_custom_emoji')].flatMap(emojiOf),
    subscriptions: () => subscriptionsOf(rows, rooms),
    readDirect: () => directReadsOf(rows, rooms),
    messages: () => readMessages(reading),
    others: {
      beforeMessages: profileTables(PROFILE_NAMES, () => profilesOf(rows)),
      afterMessages: [followedThreads],
    },
    codeOfEmoji: codeOfSharedName,
    markdown: (text, references) => markdownOf(text, references, names),
    bytesOf: (path) => (isStored(path) ? blobs.bytesOf(path) : archive.files.get(path)),
    open: async (path) => (isStored(path) ? blobs.open(path) : archive.open(path)),
  };
}

const COUNTED: Readonly<Record<string, number>> = {
  ...{ users: LIMITS.users, rocketchat_room: LIMITS.conversations, rocketchat_subscription: LIMITS.subscriptions },
  ...{ rocketchat_team: LIMITS.channels, rocketchat_custom_emoji: LIMITS.emoji },
  ...{ rocketchat_avatars: LIMITS.users, rocketchat_uploads: LIMITS.entries },
};

/** Where the files of GridFS are in the temporary database. No archive has paths with a colon. */
const BUCKETS = {
  rocketchat_uploads: 'gridfs:uploads/',
  rocketchat_avatars: 'gridfs:avatars/',
  custom_emoji: 'gridfs:emoji/',
} as const;

function isStored(path: string): boolean {
  return path.startsWith('gridfs:');
}

/** A dump can have several databases. */
function folderOf(archive: ArchiveFiles): string {
  const [first, other] = [...archive.files.keys()].flatMap(
    (path) =>
      /^(.*\/)?rocketchat_room\.bson(?:\.gz)?$/
        .exec(path)
        ?.map((part) => part ?? '')
        .at(1) ?? [],
  );
  if (first === undefined)
    throw new ImportError('The archive has no rocketchat_room.bson. It is not a mongodump of Rocket.Chat.');
  if (other !== undefined && other !== first)
    throw new ImportError(`The archive has several databases of Rocket.Chat: ${first}, ${other}.`);
  return first;
}

function entryOf(name: string | undefined, id: string | undefined): readonly (readonly [string, string])[] {
  return name === undefined || id === undefined ? [] : [[name, id]];
}

function only(document: Json, fields: readonly string[]): Json {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = field === '_id' ? idIn(document, field) : document[field];
      return value === undefined || value === null ? [] : [[field, value] as const];
    }),
  );
}

interface Bucket {
  readonly bucket: string;
  readonly path: string;
}

/** The parts of a file can be anywhere in their collection. */
async function storeFiles(dump: Dump, { bucket, path }: Bucket, blobs: BlobStore): Promise<void> {
  // Messages and users name files by their ids, emoji by their names.
  const names = new Map<string, string>();
  for await (const file of dump.documents(`${bucket}.files`)) {
    const [id, bytes, name] = [idIn(file, '_id'), numberIn(file, 'length'), textIn(file, 'filename')];
    if (id === undefined) continue;
    if (bucket === 'custom_emoji' && name !== undefined && names.size < LIMITS.emoji) names.set(id, decoded(name));
    if (bytes !== undefined) blobs.expect(path + (names.get(id) ?? id), bytes);
  }
  for await (const part of dump.documents(`${bucket}.chunks`)) {
    const [id, number, { data }] = [idIn(part, 'files_id'), numberIn(part, 'n'), part];
    if (id === undefined || number === undefined || !Number.isSafeInteger(number) || number < 0) continue;
    if (data instanceof Uint8Array) blobs.addPart(path + (names.get(id) ?? id), number, data);
  }
  blobs.commit();
}

/** Files that the server had in a folder: somebody can have added it to the dump. Their names are their ids. */
function filesBeside(archive: ArchiveFiles, rows: RowStore): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const path of archive.files.keys()) {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,10}$/, '');
    if (!OF_DUMP.test(path)) paths.set(name, path);
  }
  const found = new Map<string, string>();
  if (paths.size === 0) return found;
  for (const upload of rows.of('rocketchat_uploads')) {
    const id = idIn(upload, '_id') ?? '';
    const path = paths.get(id);
    if (path !== undefined) found.set(id, path);
  }
  return found;
}

const OF_DUMP = /(?:\.bson|\.metadata\.json|prelude\.json)(?:\.gz)?$/;

interface Used {
  readonly folder: string;
  readonly used: ReadonlySet<string>;
}

function reportOthers(archive: ArchiveFiles, dump: Dump, { folder, used }: Used, report: ImportReport): void {
  for (const collection of dump.collections) {
    if (READ_COLLECTIONS.has(collection)) continue;
    const [, reason] = LEFT_COLLECTIONS.find(([pattern]) => pattern.test(collection)) ?? [];
    if (reason === undefined) report.skipNamed('Collections that this version does not know', collection);
    else report.skip(`Collections that are not imported: ${reason}`, collection);
  }
  for (const path of archive.files.keys()) {
    if (used.has(path) || (path.startsWith(folder) && OF_DUMP.test(path))) continue;
    if (OF_DUMP.test(path)) report.skip('Collections of other databases', path);
    else report.skip('Files of the archive that no object names, or that this version does not know', path);
  }
}

/** Paths by the ids and names of users. */
function avatarsOf(rows: RowStore): ReadonlyMap<string, string> {
  const avatars = new Map<string, string>();
  for (const avatar of rows.of('rocketchat_avatars')) {
    const id = idIn(avatar, '_id');
    const owner = idIn(avatar, 'userId') ?? textIn(avatar, 'name')?.replace(/\.\w{1,5}$/, '');
    if (id !== undefined && owner !== undefined) avatars.set(owner, BUCKETS.rocketchat_avatars + id);
  }
  return avatars;
}

/** An emoji has further names. Each is an emoji of its own here. */
function emojiOf(emoji: Json): readonly NeutralEmoji[] {
  const [name, extension] = [textIn(emoji, 'name'), textIn(emoji, 'extension')];
  if (name === undefined) return [];
  const path = `${BUCKETS.custom_emoji}${name}.${extension ?? 'png'}`;
  return [name, ...textsIn(emoji, 'aliases')].map((one) => ({ name: one, path }));
}

/** Only the name: other settings have secrets. */
async function siteName(dump: Dump): Promise<string | undefined> {
  for await (const setting of dump.documents('rocketchat_settings')) {
    if (idIn(setting, '_id') === 'Site_Name') return textIn(setting, 'value') || undefined;
  }
  return undefined;
}
