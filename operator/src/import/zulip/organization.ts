/** The organization of the reference server: its settings, linkifiers, playgrounds, domains and pictures. */
import { ORGANIZATION_PERMISSIONS, type Permission } from '@heddle/api/permissions.ts';
import { PERMISSIONS_UNTIL_IMPLEMENTED, PLAIN_SETTINGS } from '@heddle/server/access/organization-settings.ts';
import type { LinkifierRecord, OrganizationPicture, PlaygroundRecord } from '@heddle/server/directory/records.ts';
import { drawOrganizationPicture } from '@heddle/server/domain/organizations/organization-pictures/drawing.ts';
import { isLanguage } from '@heddle/server/domain/texts/shared/languages.ts';
import { checkedDomain, MAX_DOMAINS } from '@heddle/server/features/domains/actions.ts';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import { acceptedLinkifiers, acceptedPlaygrounds } from '../checked-lists.ts';
import type { Lookup } from '../conversion/lookup.ts';
import { bytesOfPicture } from '../conversion/pictures.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { dateOf, isTrue, type Json, keyIn, numberIn, textIn } from '../fields.ts';
import { accepted } from '../mended-names.ts';
import type { ImportReport } from '../report.ts';
import type { SourceRow } from '../source.ts';
import { OF_ORGANIZATIONS, policiesOf } from './old-policies.ts';
import type { GroupSets } from './people.ts';
import { choiceForUsers, UserSettings } from './user-settings.ts';

const PERMISSIONS: Readonly<Record<string, Permission>> = ORGANIZATION_PERMISSIONS;
interface Plain {
  readonly default: unknown;
  readonly untilImplemented?: unknown;
  readonly wireName?: string;
}
const PLAIN: Readonly<Record<string, Plain>> = PLAIN_SETTINGS;

/** The settings by the fields of the organization, which have the names of the wire. */
const SETTINGS: ReadonlyMap<string, string> = new Map(
  [...Object.keys(PERMISSIONS), ...Object.keys(PLAIN)]
    .filter((name) => !(name in PERMISSIONS_UNTIL_IMPLEMENTED) && PLAIN[name]?.untilImplemented === undefined)
    .map((name) => [PLAIN[name]?.wireName ?? name, name]),
);
export const ORGANIZATION_SETTINGS: ReadonlySet<string> = new Set(SETTINGS.keys());

/** Settings that name a channel, with the field of the archive. */
const CHANNEL_FIELDS: Readonly<Record<string, string>> = {
  moderation_request_channel: 'moderation_request_channel_id',
  new_stream_announcements_stream: 'new_channel_announcements_channel_id',
  notifications_stream: 'new_channel_announcements_channel_id',
};

export interface OrganizationContext {
  readonly archive: ArchiveFiles;
  readonly rows: RowStore;
  readonly sets: GroupSets;
  readonly linkifiers: readonly LinkifierRecord[];
}

export async function organizationRow(context: OrganizationContext, lookup: Lookup): Promise<SourceRow> {
  const { rows } = context;
  const [row = {}] = [...rows.of('zerver_realm')];
  const { linkifiers } = context;
  const playgrounds = playgroundsOf(rows, lookup.report);
  const [defaults = {}] = [...rows.of('zerver_realmuserdefault')];
  return {
    settings: settingsOf(row, context.sets, lookup),
    user_settings_defaults: new UserSettings(lookup.report).valid({ ...choiceForUsers(row), ...defaults }),
    linkifiers,
    last_linkifier_id: rows.count('zerver_realmfilter'),
    playgrounds,
    last_playground_id: rows.count('zerver_realmplayground'),
    pictures: await picturesOf(context, row, lookup),
    created_at: dateOf(row.date_created) ?? new Date(),
  };
}

function settingsOf(row: Json, sets: GroupSets, lookup: Lookup): object {
  const settings: Record<string, unknown> = {};
  const refuse = (name: string) =>
    lookup.report.skip('Settings of the organization that are not valid here: they have their defaults', name);
  for (const [field, name] of SETTINGS) {
    const given = row[field];
    if (given === undefined) continue;
    const permission = PERMISSIONS[name];
    if (permission !== undefined) {
      const key = keyIn(row, field);
      const value = key === undefined ? undefined : lookup.permission(permission, sets.setting(key));
      if (value === undefined) refuse(name);
      else settings[name] = value;
      continue;
    }
    const value = plainValue(name, given);
    if (value === undefined) refuse(name);
    else if (value !== PLAIN[name]?.default) settings[name] = value;
  }
  for (const [name, group] of Object.entries(policiesOf(row, OF_ORGANIZATIONS))) {
    const permission = PERMISSIONS[name];
    const value = permission === undefined ? undefined : lookup.permission(permission, group);
    if (value === undefined) refuse(name);
    else settings[name] = value;
  }
  if (row.topics_policy === undefined && isTrue(row, 'mandatory_topics'))
    settings.topics_policy = 'disable_empty_topic';
  if (row.message_edit_history_visibility_policy === undefined && row.allow_edit_history === false)
    settings.message_edit_history_visibility_policy = 'none';
  for (const [field, name] of Object.entries(CHANNEL_FIELDS)) {
    const channel = lookup.channel(keyIn(row, field));
    if (channel !== undefined && !channel.isArchived && (name !== 'moderation_request_channel_id' || channel.isPrivate))
      settings[name] = channel.id;
    else if (row[field] !== null && row[field] !== undefined) refuse(name);
  }
  return settings;
}

/** The words by their numbers. */
const WORDS: Readonly<Record<string, ReadonlyMap<unknown, string>>> = {
  topics_policy: new Map([
    [2, 'allow_empty_topic'],
    [3, 'disable_empty_topic'],
  ]),
  message_edit_history_visibility_policy: new Map([
    [1, 'all'],
    [2, 'moves'],
    [3, 'none'],
  ]),
};
const DISABLED_CALLS_ID = 0;
const JITSI_ID = 1;
const MAX_SETTING_LENGTH = 8000;

/** Undefined: the value is not valid. */
function plainValue(name: string, given: unknown): unknown {
  const words = WORDS[name];
  if (words !== undefined) return words.get(given) ?? words.values().find((word) => word === given);
  switch (name) {
    case 'default_language':
      return typeof given === 'string' && isLanguage(given) ? given : undefined;
    case 'jitsi_server_url':
      return given === null || isWebAddress(given) ? given : undefined;
    case 'video_chat_url':
      return given === '' || isWebAddress(given) ? given : undefined;
    case 'video_chat_provider':
      // The other providers need settings of this server.
      return given === DISABLED_CALLS_ID || given === JITSI_ID ? given : undefined;
    case 'message_retention_days':
      // In old versions, null is for ever.
      return isCount(given) || given === -1 ? given : given === null ? -1 : undefined;
    default:
      // In old versions, 0 is no limit.
      if (given === 0 && name.endsWith('_limit_seconds')) return null;
      return ofSameType(PLAIN[name]?.default, given) ? given : undefined;
  }
}

function ofSameType(first: unknown, given: unknown): boolean {
  if (typeof first === 'string')
    return typeof given === 'string' && given.length <= MAX_SETTING_LENGTH && !given.includes('\0');
  if (typeof first === 'boolean') return typeof given === 'boolean';
  // Limits in seconds: null is none.
  return isCount(given) || given === null || (given === 0 && typeof first === 'number');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31;
}

function isWebAddress(text: unknown): boolean {
  return typeof text === 'string' && /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

export function linkifiersOf(rows: RowStore, report: ImportReport): readonly LinkifierRecord[] {
  const given = [...rows.of('zerver_realmfilter')].map((row, index) => ({
    id: index + 1,
    pattern: textIn(row, 'pattern') ?? '',
    urlTemplate: textIn(row, 'url_template') ?? ofOldFormat(textIn(row, 'url_format_string') ?? ''),
    order: numberIn(row, 'order') ?? 0,
  }));
  const kept = acceptedLinkifiers(given, report).toSorted((a, b) => a.order - b.order);
  return kept.map(({ order: _, ...linkifier }) => linkifier);
}

/** `https://example.com/%(id)s` as a URL template. */
function ofOldFormat(format: string): string {
  return format.replaceAll(/%\((\w+)\)s/g, '{$1}').replaceAll('%%', '%');
}

function playgroundsOf(rows: RowStore, report: ImportReport): readonly PlaygroundRecord[] {
  const given = [...rows.of('zerver_realmplayground')].map((row, index) => {
    const prefix = textIn(row, 'url_prefix');
    return {
      id: index + 1,
      name: textIn(row, 'name') ?? '',
      language: textIn(row, 'pygments_language') ?? '',
      urlTemplate: textIn(row, 'url_template') ?? (prefix === undefined ? '' : `${prefix}{code}`),
    };
  });
  return acceptedPlaygrounds(given, report);
}

export function* domainRows(rows: RowStore, { report }: Lookup): Generator<SourceRow> {
  const seen = new Set<string>();
  for (const row of rows.of('zerver_realmdomain')) {
    const domain = accepted(() => checkedDomain(textIn(row, 'domain') ?? ''));
    if (domain === undefined || seen.has(domain) || seen.size >= MAX_DOMAINS) {
      report.skip('Domains that are not valid, or too many', textIn(row, 'domain'));
      continue;
    }
    seen.add(domain);
    yield { id: seen.size, domain, allows_subdomains: isTrue(row, 'allow_subdomains') };
  }
}

const KINDS: readonly OrganizationPicture[] = ['icon', 'logo', 'night_logo'];
const UPLOADED = 'U';

/** The address of each picture. The pictures themselves are rows of another table. */
async function picturesOf(
  { archive }: OrganizationContext,
  row: Json,
  { report, random }: Lookup,
): Promise<object | null> {
  const pictures: Record<string, object> = {};
  for (const kind of KINDS) {
    const path = picturePath(archive, kind);
    if (textIn(row, `${kind}_source`) !== UPLOADED || path === undefined) continue;
    const drawn = await drawPicture(archive, path, kind);
    if (drawn === undefined) report.skip('Icons and logos that are missing, or not pictures', path);
    else pictures[kind] = { version: 2, file: random(`picture ${kind}`) };
  }
  return Object.keys(pictures).length === 0 ? null : pictures;
}

export async function* pictureRows({ archive, rows }: OrganizationContext): AsyncGenerator<SourceRow> {
  const [row = {}] = [...rows.of('zerver_realm')];
  for (const kind of KINDS) {
    const path = picturePath(archive, kind);
    if (textIn(row, `${kind}_source`) !== UPLOADED || path === undefined) continue;
    const picture = await drawPicture(archive, path, kind);
    if (picture !== undefined) yield { kind, picture };
  }
}

function picturePath(archive: ArchiveFiles, kind: OrganizationPicture): string | undefined {
  const name = new RegExp(`^realm_icons/(?:.*/)?${kind}\\.original$`);
  const drawn = new RegExp(`^realm_icons/(?:.*/)?${kind}\\.png$`);
  const paths = [...archive.files.keys()];
  return paths.find((path) => name.test(path)) ?? paths.find((path) => drawn.test(path));
}

async function drawPicture(
  archive: ArchiveFiles,
  path: string,
  kind: OrganizationPicture,
): Promise<Buffer | undefined> {
  const bytes = await bytesOfPicture(
    { bytesOf: (one) => archive.files.get(one), open: (one) => archive.open(one) },
    path,
  );
  return bytes && (await drawOrganizationPicture(bytes, kind).catch(() => undefined));
}
