import type { FieldData } from '@heddle/client/calls/types.ts';
import { PROFILE_FIELD_TYPES, type ProfileFieldRecord } from '@heddle/client/model/people/profile-fields.ts';
import { type Message, msg } from '../../../base/i18n.ts';

/** The names of the types, in the order of the form. */
export const FIELD_TYPE_NAMES: readonly (readonly [type: number, name: Message])[] = [
  [PROFILE_FIELD_TYPES.shortText, msg('Short text')],
  [PROFILE_FIELD_TYPES.longText, msg('Long text')],
  [PROFILE_FIELD_TYPES.select, msg('List of options')],
  [PROFILE_FIELD_TYPES.date, msg('Date')],
  [PROFILE_FIELD_TYPES.url, msg('Link')],
  [PROFILE_FIELD_TYPES.users, msg('People')],
  [PROFILE_FIELD_TYPES.externalAccount, msg('Account of another service')],
  [PROFILE_FIELD_TYPES.pronouns, msg('Pronouns')],
];

/** The service of an external account that no client knows. */
export const CUSTOM_SERVICE = 'custom';

/** One option of a list. Its key is the stored value, so it stays when the text changes. */
export interface FieldOption {
  readonly key: string;
  readonly text: string;
}

/** What the form of a profile field contains. */
export interface FieldForm {
  readonly type: number;
  readonly name: string;
  readonly hint: string;
  readonly options: readonly FieldOption[];
  /** A service that all clients know, or `CUSTOM_SERVICE`. */
  readonly service: string;
  readonly urlPattern: string;
  readonly isInSummary: boolean;
  readonly isRequired: boolean;
  readonly isEditableByUser: boolean;
}

export function emptyForm(service: string): FieldForm {
  return {
    type: PROFILE_FIELD_TYPES.shortText,
    name: '',
    hint: '',
    options: [{ key: '0', text: '' }],
    service,
    urlPattern: '',
    isInSummary: false,
    isRequired: false,
    isEditableByUser: true,
  };
}

export function formOf(field: ProfileFieldRecord): FieldForm {
  const { type, name, hint, data, isInSummary, isRequired, isEditableByUser } = field;
  const { subtype, url_pattern: urlPattern } = data;
  return {
    ...{ type, name, hint, isInSummary, isRequired, isEditableByUser },
    options: type === PROFILE_FIELD_TYPES.select ? optionsOf(data) : [],
    service: typeof subtype === 'string' ? subtype : CUSTOM_SERVICE,
    urlPattern: typeof urlPattern === 'string' ? urlPattern : '',
  };
}

/** The options of a list in their order: `{"0": {"text": "Ada", "order": "1"}}`. */
export function optionsOf(data: Readonly<Record<string, unknown>>): FieldOption[] {
  const entries = Object.entries(data) as [string, { readonly text?: string; readonly order?: string }][];
  return entries
    .toSorted(([, a], [, b]) => Number(a.order ?? 0) - Number(b.order ?? 0))
    .map(([key, { text }]) => ({ key, text: text ?? key }));
}

/** The data of the field for the server. Only lists and external accounts have any. */
export function dataOf({ type, options, service, urlPattern }: FieldForm): FieldData {
  if (type === PROFILE_FIELD_TYPES.select) {
    const written = options.filter(({ text }) => text.trim() !== '');
    return Object.fromEntries(
      written.map(({ key, text }, index) => [key, { text: text.trim(), order: String(index + 1) }]),
    );
  }
  if (type !== PROFILE_FIELD_TYPES.externalAccount) return {};
  return { subtype: service, ...(service === CUSTOM_SERVICE && { url_pattern: urlPattern.trim() }) };
}

/** An option that is not in the list yet. Its key is new, so no stored value means it. */
export function withNewOption(options: readonly FieldOption[]): readonly FieldOption[] {
  const numbers = options.map(({ key }) => Number(key)).filter(Number.isFinite);
  return [...options, { key: String(Math.max(-1, ...numbers) + 1), text: '' }];
}

/** Whether the server knows the name and the hint of the field. */
export function hasFixedTexts({ type, service }: FieldForm): boolean {
  return type === PROFILE_FIELD_TYPES.externalAccount && service !== CUSTOM_SERVICE;
}

/** Long texts and people are too large for the summary of a profile. */
export function canBeInSummary(type: number): boolean {
  return type !== PROFILE_FIELD_TYPES.longText && type !== PROFILE_FIELD_TYPES.users;
}

export function isComplete(form: FieldForm): boolean {
  const { type, service, urlPattern, options } = form;
  if (!hasFixedTexts(form) && form.name.trim() === '') return false;
  if (type === PROFILE_FIELD_TYPES.select) return options.some(({ text }) => text.trim() !== '');
  if (type !== PROFILE_FIELD_TYPES.externalAccount || service !== CUSTOM_SERVICE) return true;
  return urlPattern.includes('%(username)s');
}
