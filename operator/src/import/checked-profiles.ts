/** Custom profile fields and values of archives, as the API would accept them. */
import {
  MAX_FIELD_HINT_LENGTH,
  MAX_FIELD_NAME_LENGTH,
  PROFILE_FIELD_TYPES,
} from '@heddle/api/objects/profile-field.ts';
import {
  checkedData,
  checkedFieldTexts,
  checkedText,
  type FieldData,
} from '@heddle/server/domain/users/profile-fields/checking.ts';
import { isObject } from './json.ts';
import { accepted } from './mended-names.ts';
import type { ImportReport } from './report.ts';
import type { SourceRow } from './source.ts';

interface ImportedField {
  readonly name: string;
  readonly type: number;
  readonly data: string;
}

/** The fields that are imported, by their ids. */
export type ImportedFields = Map<number, ImportedField>;

/** Undefined: it is left out, with its values. */
export function acceptedField(row: SourceRow, fields: ImportedFields, report: ImportReport): SourceRow | undefined {
  const { id, name, hint, type, data } = row;
  const given = { name: cut(name, MAX_FIELD_NAME_LENGTH), hint: cut(hint, MAX_FIELD_HINT_LENGTH) };
  const texts = accepted(() => checkedFieldTexts(given));
  const isKnown = Object.values(PROFILE_FIELD_TYPES).some((one) => one.id === type);
  const stored = isKnown ? accepted(() => checkedData(Number(type), dataOf(data))) : undefined;
  if (texts === undefined || stored === undefined) {
    report.skip('Profile fields that are not valid here, or too many', String(name));
    return undefined;
  }
  if (texts.name !== name || texts.hint !== (hint ?? ''))
    report.skip('Profile fields with another name or hint than in the archive', String(name));
  // The text stays as it is: an export after this import is equal.
  fields.set(Number(id), { name: texts.name, type: Number(type), data: String(data ?? '') });
  return { ...row, ...texts };
}

function cut(value: unknown, length: number): string {
  const text = typeof value === 'string' ? value : '';
  return [...text.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')].slice(0, length).join('');
}

/** @throws Error the data is not an object */
function dataOf(data: unknown): FieldData {
  const value: unknown = JSON.parse(typeof data === 'string' && data !== '' ? data : '{}');
  if (!isObject(value)) throw new Error('the data of the field is not an object');
  return value as FieldData;
}

/** Undefined: it is left out. */
export function acceptedValue(
  row: SourceRow,
  { fields, users }: { readonly fields: ImportedFields; readonly users: ReadonlySet<number> },
  report: ImportReport,
): SourceRow | undefined {
  const { field_id: fieldId, value } = row;
  const field = fields.get(Number(fieldId));
  if (field !== undefined && typeof value === 'string' && isValid(field, value, users)) return row;
  report.skip('Values of profiles that are not valid here', field?.name);
  return undefined;
}

function isValid(field: ImportedField, value: string, users: ReadonlySet<number>): boolean {
  if (field.type !== PROFILE_FIELD_TYPES.USER.id) return accepted(() => checkedText(field, value)) !== undefined;
  const ids: unknown = accepted(() => JSON.parse(value));
  return Array.isArray(ids) && ids.every((id) => users.has(id));
}
