/** Values of rows that the API would refuse. They are mended, or the row is left out, and the report has a line. */
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '@heddle/api/objects/channel.ts';
import { quietSchedule } from '@heddle/api/objects/quiet-hours.ts';
import { checkedColor } from '@heddle/server/domain/channel-management/subscriptions/colors.ts';
import { checkedChannelDescription } from '@heddle/server/domain/channels/names.ts';
import { contentTypeOf } from '@heddle/server/domain/uploads/names.ts';
import { checkedGroupDescription } from '@heddle/server/domain/user-groups/names.ts';
import { checkedEmail } from '@heddle/server/domain/users/users/names.ts';
import { checkedUrl } from '@heddle/server/features/bots/requests.ts';
import { checkedFolderDescription } from '@heddle/server/features/channel-folders/names.ts';
import { checkedDomain } from '@heddle/server/features/domains/actions.ts';
import { isPauseTooFar } from '@heddle/server/features/quiet-hours/actions.ts';
import { cleanFileName } from '@heddle/server/http/bodies/file-bodies.ts';
import { emojiByCode, emojiByName } from '@heddle/server/markup/index.ts';
import { Value } from 'typebox/value';
import { acceptedField, acceptedValue, type ImportedFields } from './checked-profiles.ts';
import { customEmojiName, EXTRA_EMOJI } from './conversion/emoji.ts';
import { isObject } from './json.ts';
import {
  accepted,
  mendedChannelName,
  mendedEmail,
  mendedFolderName,
  mendedFullName,
  mendedGroupName,
  mendedTopic,
} from './mended-names.ts';
import type { ImportReport } from './report.ts';
import type { SourceRow } from './source.ts';

export interface CheckingContext {
  readonly report: ImportReport;
  readonly fields: ImportedFields;
  readonly users: ReadonlySet<number>;
}

type Check = (row: SourceRow, context: CheckingContext) => SourceRow | undefined;

/** The row as the API would accept it. Undefined: it is left out. */
export function acceptedRow(context: CheckingContext, table: string, row: SourceRow): SourceRow | undefined {
  return Object.hasOwn(CHECKS, table) ? CHECKS[table]?.(row, context) : row;
}

const CHECKS: Readonly<Record<string, Check>> = {
  users: acceptedUser,
  channels: (row, { report }) => {
    const name = changed(row, 'name', report, (text) => distinct(text, mendedChannelName, row));
    return { ...row, ...name, ...changed(row, 'description', report, validDescription) };
  },
  user_groups: (row, { report }) => {
    if (row.is_system === true) return row;
    const name = changed(row, 'name', report, (text) => distinct(text, mendedGroupName, row));
    return { ...row, ...name, ...changed(row, 'description', report, cutDescription(checkedGroupDescription)) };
  },
  channel_folders: (row, { report }) => {
    const name = changed(row, 'name', report, (text) => distinct(text, mendedFolderName, row));
    return { ...row, ...name, ...changed(row, 'description', report, cutDescription(checkedFolderDescription)) };
  },
  custom_emoji: (row, { report }) => ({
    ...row,
    ...changed(row, 'name', report, (text) => distinct(text, (name) => customEmojiName(name) || 'emoji', row)),
  }),
  profile_fields: (row, { report, fields }) => acceptedField(row, fields, report),
  profile_values: (row, { report, fields, users }) => acceptedValue(row, { fields, users }, report),
  user_statuses: acceptedStatus,
  quiet_hours: (row, { report }) => {
    const isValid =
      Value.Check(quietSchedule, row.schedule) && isPauseEnd(row.paused_until) && isPauseEnd(row.resumed_until);
    if (!isValid) report.skip('Quiet hours that are not valid', `of user ${String(row.user_id)}`);
    return isValid ? row : undefined;
  },
  reactions: (row, { report }) => {
    const emoji = acceptedEmoji(row);
    if (emoji === undefined) report.skip('Reactions with an emoji that does not exist here', String(row.emoji_name));
    return emoji && { ...row, ...emoji };
  },
  organization_domains: (row, { report }) => {
    const domain = accepted(() => checkedDomain(String(row.domain)));
    if (domain === undefined) report.skip('Domains that are not valid, or too many', String(row.domain));
    return domain === undefined ? undefined : { ...row, domain };
  },
  invitations: (row, { report }) => {
    const isValid = typeof row.email !== 'string' || accepted(() => checkedEmail(String(row.email))) !== undefined;
    if (!isValid) report.skip('Invitations whose address is not valid', String(row.email));
    return isValid ? row : undefined;
  },
  subscriptions: (row, { report }) => ({
    ...row,
    ...changed(row, 'color', report, (color) => accepted(() => checkedColor(color, 'color')) ?? null),
  }),
  attachments: (row, { report }) => ({
    ...row,
    ...changed(row, 'name', report, cleanFileName),
    ...changed(row, 'content_type', report, (type) => contentTypeOf(type, String(row.name))),
  }),
  messages: (row, { report }) => ({
    ...row,
    ...changed(row, 'topic', report, mendedTopic),
    ...changed(row, 'client', report, validClient),
  }),
  message_edits: (row, { report }) => ({
    ...row,
    ...changed(row, 'topic', report, mendedTopic),
    ...changed(row, 'prev_topic', report, mendedTopic),
  }),
  user_topics: withTopic,
  drafts: withTopic,
  scheduled_messages: withTopic,
  avatar_pictures: withPictures('picture', 'medium'),
  custom_emoji_pictures: withPictures('picture', 'still'),
  organization_pictures: withPictures('picture'),
};

/** The new value of a field, if it is another one. */
function changed(
  row: SourceRow,
  field: string,
  report: ImportReport,
  mend: (text: string) => string | null,
): Readonly<Record<string, string | null>> {
  const given = row[field];
  if (typeof given !== 'string') return {};
  const valid = mend(given);
  if (valid === given) return {};
  report.skip(`Values that are not valid here, and are changed: ${field.replaceAll('_', ' ')}`, given);
  return { [field]: valid };
}

/** Names that must be different get the id: cleaning could make them equal. */
function distinct(text: string, mend: (name: string, fallback: string) => string, { id }: SourceRow): string {
  const valid = mend(text, 'unnamed');
  return valid === text ? text : mend(`${valid}_${String(id)}`, 'unnamed');
}

function validDescription(text: string): string {
  const cut = [...text].slice(0, MAX_CHANNEL_DESCRIPTION_LENGTH).join('');
  return accepted(() => checkedChannelDescription(text)) ?? checkedChannelDescription(cut);
}

const MAX_DESCRIPTION_LENGTH = 1000;

function cutDescription(check: (text: string) => string): (text: string) => string {
  return (text) => {
    const cut = [...text.replaceAll(/[\0\p{Cs}]/gu, '')].slice(0, MAX_DESCRIPTION_LENGTH).join('');
    return accepted(() => check(text)) ?? cut;
  };
}

const FILE_OF_AVATAR = /^[\w-]{1,100}$/;

function acceptedUser(row: SourceRow, { report }: CheckingContext): SourceRow {
  const { bot_settings: settings } = row;
  return {
    ...row,
    ...changed(row, 'full_name', report, (name) => mendedFullName(name, `User ${String(row.id)}`)),
    ...changed(row, 'email', report, (email) => mendedEmail(email, row.id)),
    ...changed(row, 'delivery_email', report, (email) => mendedEmail(email, row.id)),
    ...changed(row, 'avatar_file', report, (file) => (FILE_OF_AVATAR.test(file) ? file : null)),
    ...(isObject(settings) && isObject(settings.service) && withServiceUrl(settings, settings.service, report)),
  };
}

function withServiceUrl(settings: SourceRow, service: SourceRow, report: ImportReport): SourceRow {
  const url = changed(service, 'url', report, (text) => {
    return text === '' ? text : (accepted(() => checkedUrl('url', text)) ?? '');
  });
  return { bot_settings: { ...settings, service: { ...service, ...url } } };
}

const MAX_STATUS_LENGTH = 60;

function acceptedStatus(row: SourceRow, { report }: CheckingContext): SourceRow | undefined {
  const text = changed(row, 'status_text', report, (given) => [...given.trim()].slice(0, MAX_STATUS_LENGTH).join(''));
  if ((row.emoji_kind ?? null) === null) return { ...row, ...text };
  const emoji = acceptedEmoji(row);
  if (emoji !== undefined) return { ...row, ...text, ...emoji };
  report.skip('Emoji of statuses that do not exist here', String(row.emoji_name));
  return { ...row, ...text, emoji_kind: null, emoji_code: '', emoji_name: '' };
}

/** PostgreSQL also has times such as `infinity`, at which the quiet hours of a whole organization could not be read. */
function isPauseEnd(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const end = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(end) && !isPauseTooFar(Math.floor(end / MILLISECONDS_PER_SECOND));
}

const MILLISECONDS_PER_SECOND = 1000;

/** The fields of an emoji that exists. Custom emoji are rows with foreign keys or ids. */
function acceptedEmoji({ emoji_kind: kind, emoji_code: code, emoji_name: given }: SourceRow): SourceRow | undefined {
  const name = typeof given === 'string' ? given : '';
  switch (kind) {
    case 'unicode': {
      if (typeof code !== 'string') return {};
      const own = emojiByName(name)?.code === code ? name : emojiByCode(code)?.name;
      return own === undefined ? undefined : { emoji_name: own };
    }
    case 'custom':
      return { emoji_name: customEmojiName(name) || 'emoji' };
    case 'extra':
      return code === EXTRA_EMOJI ? { emoji_name: EXTRA_EMOJI } : undefined;
    default:
      return {};
  }
}

const MAX_CLIENT_LENGTH = 30;

function validClient(client: string): string {
  return [...client.replaceAll(/\p{C}/gu, '')].slice(0, MAX_CLIENT_LENGTH).join('');
}

function withTopic(row: SourceRow, { report }: CheckingContext): SourceRow {
  return { ...row, ...changed(row, 'topic', report, mendedTopic) };
}

/** How files of these types begin: PNG, GIF, WebP. They are served as such pictures. */
const PICTURE_BEGINNINGS = [Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('GIF8'), Buffer.from('RIFF')];

function withPictures(...fields: readonly string[]): Check {
  return (row, { report }) => {
    const isValid = fields.every((field) => (row[field] ?? null) === null || isPicture(row[field]));
    if (!isValid) report.skip('Pictures that are not pictures');
    return isValid ? row : undefined;
  };
}

function isPicture(value: unknown): boolean {
  const bytes = typeof value === 'string' ? Buffer.from(value.slice(0, 24), 'base64') : value;
  if (!(bytes instanceof Uint8Array)) return false;
  return PICTURE_BEGINNINGS.some((beginning) => beginning.equals(bytes.subarray(0, beginning.length)));
}
