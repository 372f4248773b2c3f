/** Checks custom profile fields and their values (public reference: "Create a custom profile field"). */

import { badRequest } from '@heddle/api/errors.ts';
import {
  DEFAULT_EXTERNAL_ACCOUNTS,
  type fieldData,
  MAX_FIELD_DATA_LENGTH,
  MAX_FIELD_HINT_LENGTH,
  MAX_FIELD_NAME_LENGTH,
  MAX_SUMMARIZED_FIELDS,
  PROFILE_FIELD_TYPES,
} from '@heddle/api/objects/profile-field.ts';
import type { Static } from 'typebox';
import { canAccessId } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { type ProfileFieldRecord, profilesPart } from './profiles.ts';

export const { SHORT_TEXT, LONG_TEXT, SELECT, DATE, URL: LINK, USER, EXTERNAL_ACCOUNT } = PROFILE_FIELD_TYPES;

export type FieldData = Static<typeof fieldData>;

/** The requested properties of a field, without its position. */
export type RequestedField = Omit<ProfileFieldRecord, 'id' | 'position' | 'data'> & { readonly data: FieldData };

/** The field as it is stored. */
export type CheckedField = Omit<ProfileFieldRecord, 'id' | 'position'>;

/**
 * @param known the field that is changed; undefined for a new one
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedField(
  directory: Directory,
  requested: RequestedField,
  known?: ProfileFieldRecord,
): CheckedField {
  const { type } = requested;
  if (requested.isInSummary && summarized(directory, known) >= MAX_SUMMARIZED_FIELDS) {
    throw badRequest('Only 2 custom profile fields can be displayed in the profile summary.');
  }
  if (!Object.values(PROFILE_FIELD_TYPES).some(({ id }) => id === type)) throw badRequest('Invalid field type.');
  const data = checkedData(type, requested.data);
  const texts = defaultAccount(type, requested.data) ?? checkedFieldTexts(requested);
  if (directory.part(profilesPart).fields.some(({ id, name }) => id !== known?.id && name === texts.name)) {
    throw badRequest('A field with that label already exists.');
  }
  if (requested.isInSummary && (type === LONG_TEXT.id || type === USER.id)) {
    throw badRequest('Field type not supported for display in profile summary.');
  }
  return { ...requested, ...texts, data };
}

function summarized(directory: Directory, known: ProfileFieldRecord | undefined): number {
  return directory.part(profilesPart).fields.filter(({ id, isInSummary }) => isInSummary && id !== known?.id).length;
}

/** @throws ApiError `BAD_REQUEST` */
export function checkedFieldTexts(requested: Pick<RequestedField, 'name' | 'hint'>): {
  readonly name: string;
  readonly hint: string;
} {
  const name = requested.name.trim();
  if (name === '') throw badRequest('Label cannot be blank.');
  checkLength('hint', requested.hint, MAX_FIELD_HINT_LENGTH);
  checkLength('name', name, MAX_FIELD_NAME_LENGTH);
  return { name, hint: requested.hint };
}

/** The name and hint of a default external account, which every client knows; undefined for all other fields. */
export function defaultAccount(type: number, { subtype }: FieldData) {
  if (type !== EXTERNAL_ACCOUNT.id || typeof subtype !== 'string') return undefined;
  if (!isDefault(subtype)) return undefined;
  const { name, hint } = DEFAULT_EXTERNAL_ACCOUNTS[subtype];
  return { name, hint };
}

function isDefault(subtype: string): subtype is keyof typeof DEFAULT_EXTERNAL_ACCOUNTS {
  return Object.hasOwn(DEFAULT_EXTERNAL_ACCOUNTS, subtype);
}

/**
 * The data as it is stored. Only fields with options and external accounts have any.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedData(type: number, data: FieldData): string {
  if (type === SELECT.id) checkChoices(data);
  else if (type === EXTERNAL_ACCOUNT.id) checkAccount(data);
  else return '';
  const text = JSON.stringify(data);
  checkLength('field_data', text, MAX_FIELD_DATA_LENGTH);
  return text;
}

function checkChoices(data: FieldData): void {
  const choices = Object.entries(data);
  if (choices.length === 0) throw badRequest('Field must have at least one choice.');
  const texts = new Set<string>();
  for (const [key, choice] of choices) {
    if (key.trim() === '') throw badRequest("'value' cannot be blank.");
    if (typeof choice === 'string') throw badRequest('field_data is not a dict');
    const { text, order, ...others } = choice;
    for (const [name, given] of Object.entries({ text, order })) {
      if (given === undefined) throw badRequest(`${name} key is missing from field_data`);
      if (given.trim() === '') throw badRequest(`field_data["${name}"] cannot be blank.`);
    }
    if (Object.keys(others).length > 0) throw badRequest(`Unexpected arguments: ${Object.keys(others).join(', ')}`);
    texts.add(String(text));
  }
  if (texts.size < choices.length) throw badRequest('Field must not have duplicate choices.');
}

const USERNAME = '%(username)s';

function checkAccount({ subtype, url_pattern: pattern, ...others }: FieldData): void {
  if (subtype === undefined) throw badRequest('subtype key is missing from field_data');
  if (typeof subtype !== 'string') throw badRequest('field_data["subtype"] is not a string');
  if (subtype.trim() === '') throw badRequest('field_data["subtype"] cannot be blank.');
  if (Object.keys(others).length > 0) throw badRequest(`Unexpected arguments: ${Object.keys(others).join(', ')}`);
  if (pattern !== undefined) checkPattern(pattern);
  if (isDefault(subtype)) return;
  if (subtype !== 'custom') throw badRequest('Invalid external account type');
  if (pattern === undefined) throw badRequest('Custom external account must define URL pattern');
}

function checkPattern(pattern: FieldData[string]): void {
  if (typeof pattern !== 'string') throw badRequest('field_data["url_pattern"] is not a string');
  if (pattern.split(USERNAME).length !== 2) throw badRequest(`URL pattern must contain '${USERNAME}'.`);
  if (!isLink(pattern.replace(USERNAME, 'username'))) throw badRequest('field_data["url_pattern"] is not a URL');
}

const MAX_SHORT_TEXT_LENGTH = 50;
const MAX_LONG_TEXT_LENGTH = 500;
const MAX_LINK_LENGTH = 2048;

/**
 * The value as it is stored. Users are a JSON list of their ids.
 * @param caller who sets the value
 * @param given a text; for users a list of ids, or such a list as JSON
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedValue(
  directory: Directory,
  caller: UserRecord,
  field: ProfileFieldRecord,
  given: string | readonly number[],
): string {
  if (field.type === USER.id) return JSON.stringify(checkedUsers(directory, caller, userList(given)));
  if (typeof given !== 'string') throw badRequest(`${field.name} is not a string`);
  return checkedText(field, given);
}

/**
 * The value of a field that is not a list of users.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedText(field: Pick<ProfileFieldRecord, 'name' | 'type' | 'data'>, given: string): string {
  const { name, type } = field;
  switch (type) {
    case LONG_TEXT.id:
      checkLength(name, given, MAX_LONG_TEXT_LENGTH);
      break;
    case SELECT.id:
      if (!isChoice(field, given)) throw badRequest(`'${given}' is not a valid choice for '${name}'.`);
      break;
    case DATE.id:
      if (!isDate(given)) throw badRequest(`${name} is not a date`);
      break;
    case LINK.id:
      if (!isLink(given)) throw badRequest(`${name} is not a URL`);
      break;
    default:
      checkLength(name, given, MAX_SHORT_TEXT_LENGTH);
  }
  return given;
}

export function hasMarkup({ type }: Pick<ProfileFieldRecord, 'type'>): boolean {
  return type === SHORT_TEXT.id || type === LONG_TEXT.id;
}

/** Whether a list field has this option. */
export function isChoice({ data }: Pick<ProfileFieldRecord, 'data'>, value: string): boolean {
  return Object.hasOwn(JSON.parse(data) as FieldData, value);
}

function userList(given: string | readonly number[]): readonly number[] {
  if (typeof given !== 'string') return given;
  const parsed = parsedJson(given);
  if (Array.isArray(parsed) && parsed.every((id) => Number.isSafeInteger(id))) return parsed;
  throw badRequest('User IDs is not a list');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A user whom the caller cannot access is like an unknown one. */
function checkedUsers(directory: Directory, caller: UserRecord, ids: readonly number[]): readonly number[] {
  for (const id of ids) {
    const user = canAccessId(directory, caller, id) ? directory.user(id) : undefined;
    if (user === undefined) throw badRequest(`Invalid user ID: ${id}`);
    if (!user.isActive) throw badRequest(`User with ID ${id} is deactivated`);
    if (user.isBot) throw badRequest(`User with ID ${id} is a bot`);
  }
  return [...new Set(ids)];
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // `Date.parse` accepts 31 February as a day in March, so compare the result with the input.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isLink(text: string): boolean {
  if (text.length > MAX_LINK_LENGTH || /[\s<>"\\^`{|}\p{Cc}]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && /^(?:https?|ftps?):$/.test(url.protocol) && /^[a-z]+:\/\//i.test(text) && url.hostname !== '';
}

function checkLength(what: string, text: string, limit: number): void {
  if ([...text].length > limit) throw badRequest(`${what} is too long (limit: ${limit} characters)`);
}
