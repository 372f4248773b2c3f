/** Makes rows of a data export rows of this server: defaults for private fields, own keys and links, and safe HTML. */

import { eachChannelSetting } from '@heddle/api/channel-settings.ts';
import { ORGANIZATION_PERMISSIONS } from '@heddle/api/permissions.ts';
import { eachSubscriptionSetting } from '@heddle/api/subscription-settings.ts';
import {
  CHANNEL_GROUP_SETTINGS,
  type LinkifierRecord,
  type PlaygroundRecord,
  Role,
} from '@heddle/server/directory/records.ts';
import { isTimezone } from '@heddle/server/domain/accounts/own-settings/checking.ts';
import { signedPath } from '@heddle/server/domain/texts/external-images/signing.ts';
import { newLink } from '@heddle/server/domain/texts/shared/link-keys.ts';
import { checkedHtml, escapeText } from '@heddle/server/markup/index.ts';
import { newKey } from '@heddle/server/storage/storage.ts';
import { acceptedLinkifiers, acceptedPlaygrounds } from './checked-lists.ts';
import { acceptedRow, type CheckingContext } from './checked-rows.ts';
import { validOrganizationSettings, validUserSettings } from './checked-settings.ts';
import { isObject } from './json.ts';
import { MAX_IMPORTED_ID } from './limits.ts';
import { mendedOrganizationDescription, mendedOrganizationName } from './mended-names.ts';
import { ImportError, type SourceRow } from './source.ts';

export interface AdaptingContext extends CheckingContext {
  readonly organizationId: number;
  /** Until the last step, the organization has a subdomain that no host can name. */
  readonly subdomain: string;
  readonly secret: Buffer;
  /** Whether the server shows images of other servers. */
  readonly imagePreviews: boolean;
  readonly lastMessageId: number;
  readonly lastEventId: number;
  /** The users that the archive has. */
  readonly users: Set<number>;
}

/** Fields with HTML, each with the field of its source. */
const HTML_FIELDS: Readonly<Record<string, string>> = {
  rendered_content: 'content',
  prev_rendered_content: 'prev_content',
  rendered_description: 'description',
  html: 'value',
};

/** The ids of these columns come from sequences that all organizations share. */
const SHARED_IDS = ['id', 'recipient_id'];

/**
 * Undefined: the API would not accept the row, so it is left out.
 * @throws ImportError
 */
export function adaptRow(context: AdaptingContext, table: string, given: SourceRow): SourceRow | undefined {
  const row = acceptedRow(context, table, given);
  if (row === undefined) return undefined;
  if (table !== 'messages') checkIds(table, row);
  const adapted: Record<string, unknown> = {
    ...row,
    ...changesOf(context, table, row),
    organization_id: context.organizationId,
  };
  for (const [field, source] of Object.entries(HTML_FIELDS)) {
    const html = row[field];
    if (typeof html === 'string') adapted[field] = adaptHtml(context, html, row[source]);
  }
  return adapted;
}

/** @throws ImportError */
export function adaptOrganization({ organizationId, subdomain, report }: AdaptingContext, row: SourceRow): SourceRow {
  const { settings = {}, user_settings_defaults: defaults } = row;
  if (!isObject(settings)) throw notValid('organizations', 'settings');
  if (defaults !== undefined && !isObject(defaults)) throw notValid('organizations', 'user_settings_defaults');
  const { deactivated_at: at = null } = row;
  if (at !== null && !(at instanceof Date) && !(typeof at === 'string' && Number.isFinite(Date.parse(at))))
    throw notValid('organizations', 'deactivated_at');
  const permissions = Object.entries(settings).filter(([name]) => Object.hasOwn(ORGANIZATION_PERMISSIONS, name));
  if (!permissions.every(([, value]) => isGroupSetting(value))) throw notValid('organizations', 'settings');
  const linkifiers = itemsOf<LinkifierRecord>(row, 'linkifiers', ['pattern', 'urlTemplate']);
  const playgrounds = itemsOf<PlaygroundRecord>(row, 'playgrounds', ['name', 'language', 'urlTemplate']);
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  const texts = {
    name: mendedOrganizationName(textOf(row.name)),
    description: mendedOrganizationDescription(textOf(row.description)),
  };
  for (const [field, text] of Object.entries(texts))
    if (text !== (row[field] ?? ''))
      report.skip('Texts of the organization that are not valid here, and are changed', field);
  // Deactivated: background work of the server leaves it alone.
  return {
    ...row,
    ...texts,
    settings: validOrganizationSettings(settings, report),
    ...(linkifiers !== undefined && { linkifiers: acceptedLinkifiers(linkifiers, report) }),
    ...(playgrounds !== undefined && { playgrounds: acceptedPlaygrounds(playgrounds, report) }),
    ...(defaults !== undefined && { user_settings_defaults: validUserSettings(defaults, report) }),
    id: organizationId,
    subdomain,
    deactivated_at: new Date(),
  };
}

/** The defaults of fields that a row lacks, because they are private or its version does not know them. */
function absentFields(row: SourceRow, defaults: SourceRow): SourceRow {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => (row[name] ?? null) === null));
}

function changesOf(context: AdaptingContext, table: string, row: SourceRow): SourceRow {
  const { lastMessageId, lastEventId, secret, users } = context;
  switch (table) {
    case 'users':
      users.add(Number(row.id));
      return userChanges(context, row);
    case 'channels':
      checkGroups(table, 'group_settings', row.group_settings, isGroupSetting, CHANNEL_GROUP_SETTINGS);
      return absentFields(row, eachChannelSetting('default'));
    case 'user_groups':
      checkGroups(table, 'permissions', row.permissions, isGroupSetting);
      return {};
    case 'reactions':
      if (!EMOJI_KINDS.has(row.emoji_kind)) throw notValid(table, 'emoji_kind');
      return {};
    case 'messages':
      checkPosition(table, row, 'id', lastMessageId);
      return {};
    case 'subscriptions':
      checkPosition(table, row, 'since_event_id', lastEventId);
      checkPosition(table, row, 'since_message_id', lastMessageId);
      return {
        read_through: row.read_through ?? lastMessageId,
        ...absentFields(row, eachSubscriptionSetting('default')),
      };
    case 'subscription_intervals':
      checkPosition(table, row, 'until_event_id', lastEventId);
      checkPosition(table, row, 'until_message_id', lastMessageId);
      return { read_through: row.read_through ?? '9223372036854775807' };
    case 'direct_conversations':
      checkUsers(context, table, row, 'participants');
      return {};
    case 'direct_participants':
      return { read_through: row.read_through ?? lastMessageId };
    case 'attachments':
      return { storage_key: newKey() };
    case 'invitations': {
      const { nonce, keyHash } = newLink(secret, 'invitation');
      return { nonce, key_hash: keyHash };
    }
    default:
      return {};
  }
}

const ROLES: ReadonlySet<unknown> = new Set(Object.values(Role));
/** Rights that only the operator of a server grants. */
const GRANTED_RIGHTS = ['can_create_users', 'can_change_user_emails'] as const;

function userChanges({ report }: AdaptingContext, row: SourceRow): SourceRow {
  const { role, timezone, own_settings: settings = {} } = row;
  if (!ROLES.has(role)) throw notValid('users', 'role');
  if (settings !== null && !isObject(settings)) throw notValid('users', 'own_settings');
  for (const right of GRANTED_RIGHTS) {
    if (row[right] === true) report.skip('Rights that only the operator grants, with “heddle user allow”', right);
  }
  const isKnownZone = timezone === undefined || timezone === '' || isTimezone(timezone);
  if (!isKnownZone) report.skip('Time zones that do not exist', String(timezone));
  return {
    // A bot can come before its owner; `setBotOwners` sets the owner.
    bot_owner_id: null,
    delivery_email: row.delivery_email ?? row.email,
    own_settings: validUserSettings(settings ?? {}, report),
    can_create_users: false,
    can_change_user_emails: false,
    ...(!isKnownZone && { timezone: '' }),
  };
}

function checkIds(table: string, row: SourceRow): void {
  for (const name of SHARED_IDS) {
    const id = row[name];
    if (id === undefined || (Number.isSafeInteger(id) && Number(id) > 0 && Number(id) <= MAX_IMPORTED_ID)) continue;
    throw new ImportError(`The archive is not valid: ${table} has the ${name} ${String(id).slice(0, 30)}.`);
  }
}

const EMOJI_KINDS: ReadonlySet<unknown> = new Set(['unicode', 'custom', 'extra']);

/**
 * The server reads these values often, and does not check them again.
 * @param required settings that must be there
 */
function checkGroups(
  table: string,
  field: string,
  settings: unknown,
  isValid: (value: unknown) => boolean,
  required: readonly string[] = [],
): void {
  if (settings === undefined || settings === null) return;
  if (!isObject(settings) || !Object.values(settings).every(isValid)) throw notValid(table, field);
  if (!required.every((name) => Object.hasOwn(settings, name))) throw notValid(table, field);
}

/** A list of objects with an id and these texts. */
function itemsOf<Item>(row: SourceRow, field: string, texts: readonly string[]): readonly Item[] | undefined {
  const items = row[field] ?? undefined;
  if (items === undefined) return undefined;
  const isItem = (item: unknown) =>
    isObject(item) && isId(item.id) && texts.every((name) => typeof item[name] === 'string');
  if (!Array.isArray(items) || !items.every(isItem)) throw notValid('organizations', field);
  return items;
}

/** The id of a group, or users and groups. */
function isGroupSetting(value: unknown): boolean {
  if (isId(value)) return true;
  if (!isObject(value)) return false;
  const { directMembers, directSubgroups } = value;
  return [directMembers, directSubgroups].every((ids) => Array.isArray(ids) && ids.every(isId));
}

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

function notValid(table: string, field: string): ImportError {
  return new ImportError(`The archive is not valid: ${table} has a row whose ${field} is not valid.`);
}

function checkPosition(table: string, row: SourceRow, field: string, last: number): void {
  const position = row[field];
  if (typeof position === 'number' && position >= 0 && position <= last) return;
  throw new ImportError(
    `The archive is not valid: ${table} has a row with ${field} ${String(position).slice(0, 30)}, but the last id is ${last}.`,
  );
}

function checkUsers({ users }: AdaptingContext, table: string, row: SourceRow, field: string): void {
  const ids = row[field];
  if (Array.isArray(ids) && ids.length > 0 && ids.every((id) => users.has(id))) return;
  throw new ImportError(`The archive is not valid: ${table} has a row whose ${field} are not users of the archive.`);
}

/** Pictures of custom emoji have the id of the organization in their address, and the proxy of images signs for this server. */
function adaptHtml({ organizationId, secret, imagePreviews }: AdaptingContext, html: string, source: unknown): string {
  let adapted = html;
  if (html.includes('src="/user_avatars/')) {
    adapted = adapted.replaceAll(/ src="\/user_avatars\/\d+\/emoji\//g, ` src="/user_avatars/${organizationId}/emoji/`);
  }
  if (imagePreviews && html.includes('"/external_content/')) {
    adapted = adapted.replaceAll(/"\/external_content\/[\da-f]{64}\/((?:[\da-f]{2})+)"/g, (_, encoded: string) => {
      const url = Buffer.from(encoded, 'hex').toString();
      return `"${signedPath(secret, organizationId, 'message', url)}"`;
    });
  }
  return typeof source === 'string' ? checkedHtml(adapted, source) : escapeText(adapted);
}
