/** Custom profile fields of the reference server, and their values. */
import {
  MAX_FIELD_HINT_LENGTH,
  MAX_FIELD_NAME_LENGTH,
  MAX_PROFILE_FIELDS,
  MAX_SUMMARIZED_FIELDS,
  PROFILE_FIELD_TYPES,
} from '@heddle/api/objects/profile-field.ts';
import {
  checkedData,
  checkedText,
  hasMarkup,
  LONG_TEXT,
  USER,
} from '@heddle/server/domain/users/profile-fields/checking.ts';
import type { Lookup } from '../conversion/lookup.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { isTrue, type Json, keyIn, numberIn, textIn } from '../fields.ts';
import type { ImportReport } from '../report.ts';
import type { SourceRow } from '../source.ts';

interface Field {
  readonly key: string;
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly hint: string;
  readonly data: string;
  readonly isRequired: boolean;
  readonly isEditableByUser: boolean;
  readonly isInSummary: boolean;
}

const TYPES = new Set<number>(Object.values(PROFILE_FIELD_TYPES).map(({ id }) => id));

export function* profileFieldRows(rows: RowStore, { report }: Lookup): Generator<SourceRow> {
  for (const [position, field] of fieldsOf(rows, report).entries()) {
    const { id, name, type, hint, data, isRequired, isEditableByUser, isInSummary } = field;
    yield {
      ...{ id, name, type, hint, data, position, is_required: isRequired, is_editable_by_user: isEditableByUser },
      ...{ is_in_summary: isInSummary, deleted_at: null },
    };
  }
}

/** In their order. */
function fieldsOf(rows: RowStore, report?: ImportReport): readonly Field[] {
  const fields: (Field & { readonly order: number })[] = [];
  let summarized = 0;
  for (const row of rows.of('zerver_customprofilefield')) {
    const field = fieldOf(row, fields.length + 1);
    const isNew = field !== undefined && fields.every(({ name, key }) => name !== field.name && key !== field.key);
    if (!isNew || fields.length >= MAX_PROFILE_FIELDS) {
      report?.skip('Profile fields that are not valid here, or too many', textIn(row, 'name') ?? '');
      continue;
    }
    const isInSummary =
      field.isInSummary && summarized < MAX_SUMMARIZED_FIELDS && field.type !== LONG_TEXT.id && field.type !== USER.id;
    if (isInSummary) summarized += 1;
    fields.push({ ...field, isInSummary, order: numberIn(row, 'order') ?? 0 });
  }
  return fields.toSorted((a, b) => a.order - b.order);
}

function fieldOf(row: Json, id: number): Field | undefined {
  const [key, name, type] = [keyIn(row, 'id'), textIn(row, 'name')?.trim() ?? '', numberIn(row, 'field_type') ?? 0];
  const hint = [...(textIn(row, 'hint') ?? '')].slice(0, MAX_FIELD_HINT_LENGTH).join('');
  if (key === undefined || name === '' || [...name].length > MAX_FIELD_NAME_LENGTH || !TYPES.has(type))
    return undefined;
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return undefined;
  try {
    const data = checkedData(type, JSON.parse(textIn(row, 'field_data') || '{}'));
    return {
      ...{ key, id, name, type, hint, data, isRequired: isTrue(row, 'required') },
      ...{ isEditableByUser: row.editable_by_user !== false, isInSummary: isTrue(row, 'display_in_profile_summary') },
    };
  } catch {
    return undefined;
  }
}

export function* profileValueRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const fields = new Map(fieldsOf(rows).map((field) => [field.key, field]));
  const seen = new Set<string>();
  for (const row of rows.of('zerver_customprofilefieldvalue')) {
    const [field, user] = [fields.get(keyIn(row, 'field') ?? ''), lookup.user(keyIn(row, 'user_profile'))];
    const value = field && storedValue(field, row.value, lookup);
    const key = `${field?.id} ${user?.id}`;
    if (field === undefined || user === undefined || value === undefined || seen.has(key)) {
      lookup.report.skip('Values of profiles that are not valid here', field?.name);
      continue;
    }
    seen.add(key);
    yield {
      field_id: field.id,
      user_id: user.id,
      value,
      html: hasMarkup(field) ? lookup.renderDescription(value) : null,
    };
  }
}

function storedValue(field: Field, given: unknown, lookup: Lookup): string | undefined {
  try {
    if (field.type !== USER.id)
      return typeof given === 'string' ? checkedText(field, given.replaceAll('\0', '')) : undefined;
    const ids: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    const users = (Array.isArray(ids) ? ids : []).flatMap((id) => lookup.user(String(id)) ?? []);
    const people = users.filter(({ isActive, isBot }) => isActive && !isBot);
    return people.length === 0 ? undefined : JSON.stringify([...new Set(people.map(({ id }) => id))]);
  } catch {
    return undefined;
  }
}
