/**
 * The export of the reference server: JSON files with rows of its tables (`realm.json`, `messages-000001.json` and further ones,
 * `attachment.json`), and the folders `uploads/`, `avatars/`, `emoji/` and `realm_icons/`, each with a `records.json`.
 */
import { createHash } from 'node:crypto';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import type { NeutralUpload } from '../conversion/neutral.ts';
import type { NeutralArchive } from '../conversion/neutral-archive.ts';
import { checkCount } from '../conversion/people.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { keyIn, numberIn, textIn, timeOf } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import type { ImportReport } from '../report.ts';
import { ImportError } from '../source.ts';
import { customEmojiOf } from './custom-emoji.ts';
import { MESSAGE_FILE, readMessages } from './messages.ts';
import { domainRows, linkifiersOf, ORGANIZATION_SETTINGS, organizationRow, pictureRows } from './organization.ts';
import { channelsOf, foldersOf, GroupSets, recipientsOf, subscriptionsOf, usersOf } from './people.ts';
import { personalTables } from './personal.ts';
import { reportOtherFiles, storeRecords, TableReader } from './reading.ts';
import { UserSettings } from './user-settings.ts';
import { OwnHosts } from './zulip-links.ts';
import { markdownOf } from './zulip-markup.ts';

const FOLDERS = ['uploads', 'avatars', 'emoji'] as const;

/** @throws ImportError it is not an export of the reference server */
export async function readZulipArchive(
  archive: ArchiveFiles,
  report: ImportReport,
  rows: RowStore,
): Promise<NeutralArchive> {
  if (!archive.files.has('realm.json')) {
    throw new ImportError('The archive has no realm.json. It is not an export of the reference server.');
  }
  const reader = new TableReader(report, { user: UserSettings.names, organization: ORGANIZATION_SETTINGS });
  for (const path of ['realm.json', 'attachment.json', 'analytics.json']) await reader.store(archive, path, rows);
  for (const folder of FOLDERS) await storeRecords(archive, folder, rows);
  rows.sorted();
  const [organization = {}] = [...rows.of('zerver_realm')];
  const recipients = recipientsOf(rows);
  const sets = new GroupSets(rows, report);
  const channels = channelsOf(rows, sets);
  const uploads = new Uploads(archive, rows, report);
  const emoji = customEmojiOf(rows, report);
  const linkifiers = linkifiersOf(rows, report);
  const context = { archive, rows, sets, linkifiers };
  const hosts = new OwnHosts(textIn(organization, 'string_id') ?? ''); // wire name: its column
  const personal = personalTables(rows, recipients);
  for (const ignored of archive.ignored) report.skip('Symbolic links and special files', ignored);
  reportOtherFiles(archive, usedPaths(archive, rows, uploads), report);
  for (const _ of subscriptionsOf(rows, recipients, report));
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([...archive.files]))
      .update(JSON.stringify(organization))
      .digest('hex'),
    name: textIn(organization, 'name') ?? '',
    description: textIn(organization, 'description') ?? '',
    users: usersOf(rows, avatarsOf(rows), report),
    channels,
    groups: sets.named,
    systemGroups: sets.system,
    folders: foldersOf(rows),
    emoji,
    linkifiers,
    subscriptions: () => subscriptionsOf(rows, recipients),
    uploads: () => uploads.all(),
    messages: () =>
      readMessages(archive, {
        ...{ rows, reader, recipients, report, clients: clientsOf(rows), hosts, uploadOf: (path) => uploads.at(path) },
        protectedChannels: new Set(
          channels.flatMap(({ key, isHistoryProtected }) => (isHistoryProtected === true ? key : [])),
        ),
      }),
    organization: (lookup) => organizationRow(context, lookup),
    others: {
      beforeMessages: [
        { table: 'organization_domains', rows: (lookup) => domainRows(rows, lookup) },
        { table: 'organization_pictures', rows: () => pictureRows(context) },
        ...personal.beforeMessages,
      ],
      afterMessages: personal.afterMessages,
    },
    markdown: (text, references) =>
      markdownOf(text, references, { groupKey: (name) => sets.keyOf(name), isOwnHost: (host) => hosts.has(host) }),
    bytesOf: (path) => archive.files.get(path),
    open: (path) => archive.open(path),
  };
}

/** Paths of pictures by the ids of users. */
function avatarsOf(rows: RowStore): ReadonlyMap<string, string> {
  const avatars = new Map<string, string>();
  checkCount('pictures of users', rows.count('avatars'), 3 * LIMITS.users);
  for (const record of rows.of('avatars')) {
    const [user, path] = [keyIn(record, 'user_profile_id'), textIn(record, 'path')];
    if (user === undefined || path === undefined) continue;
    // The original has a better quality than the picture that was drawn of it.
    if (path.endsWith('.original') || !avatars.has(user)) avatars.set(user, `avatars/${path}`);
  }
  return avatars;
}

function clientsOf(rows: RowStore): ReadonlyMap<string, string> {
  const clients = new Map<string, string>();
  for (const row of rows.of('zerver_client')) {
    const [key, name] = [keyIn(row, 'id'), textIn(row, 'name')?.replaceAll(/\p{C}/gu, '')];
    if (key !== undefined && name !== undefined && name !== '' && clients.size < MAX_CLIENTS)
      clients.set(key, name.slice(0, MAX_CLIENT_LENGTH));
  }
  return clients;
}

const MAX_CLIENTS = 10_000;
const MAX_CLIENT_LENGTH = 30;

/** Uploaded files by their addresses. */
class Uploads {
  readonly #files = new Map<string, NeutralUpload>();

  constructor(archive: ArchiveFiles, rows: RowStore, report: ImportReport) {
    checkCount('uploaded files', rows.count('uploads'), LIMITS.entries);
    const attachments = new Map<
      string,
      { readonly name: string | undefined; readonly owner: string | undefined; readonly at: number | undefined }
    >();
    for (const row of rows.of('zerver_attachment')) {
      const path = textIn(row, 'path_id');
      const facts = { name: textIn(row, 'file_name'), owner: keyIn(row, 'owner'), at: timeOf(row.create_time) };
      if (path !== undefined && attachments.size < LIMITS.entries) attachments.set(path, facts);
    }
    for (const record of rows.of('uploads')) {
      const [path, key] = [textIn(record, 'path'), textIn(record, 's3_path') ?? textIn(record, 'path')];
      if (path === undefined || key === undefined) continue;
      const known = attachments.get(key);
      const owner = known?.owner ?? keyIn(record, 'user_profile_id') ?? '';
      const createdAt = known?.at ?? timeOf(numberIn(record, 'last_modified')) ?? 0;
      const name = known?.name ?? key.split('/').at(-1) ?? key;
      this.#files.set(key, { key, name, path: `uploads/${path}`, isInText: true, owner, createdAt });
      attachments.delete(key);
      if (!archive.files.has(`uploads/${path}`)) report.skip('Files that the archive does not have', name);
    }
    for (const [key, { name }] of attachments) report.skip('Files that the archive does not have', name ?? key);
  }

  at(key: string): NeutralUpload | undefined {
    return this.#files.get(key);
  }

  all(): Iterable<NeutralUpload> {
    return this.#files.values();
  }
}

function usedPaths(archive: ArchiveFiles, rows: RowStore, uploads: Uploads): (path: string) => boolean {
  const paths = new Set([...uploads.all()].map(({ path }) => path));
  for (const folder of ['avatars', 'emoji']) {
    for (const record of rows.of(folder)) paths.add(`${folder}/${textIn(record, 'path')}`);
  }
  return (path) =>
    paths.has(path) ||
    path === 'realm.json' ||
    path === 'attachment.json' ||
    MESSAGE_FILE.test(path) ||
    /^(?:uploads|avatars|emoji|realm_icons)\/records\.json$/.test(path) ||
    (path.startsWith('realm_icons/') && archive.files.has(path));
}
