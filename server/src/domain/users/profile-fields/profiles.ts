/** Custom profile fields and the values of all users. */
import type { DbTransaction, Row } from '../../../db/schema.ts';
import type { DirectoryPart } from '../../../directory/part.ts';

export interface ProfileFieldRecord {
  readonly id: number;
  readonly name: string;
  /** A wire number (`PROFILE_FIELD_TYPES`). */
  readonly type: number;
  readonly hint: string;
  /** JSON, or empty. */
  readonly data: string;
  readonly position: number;
  readonly isRequired: boolean;
  readonly isEditableByUser: boolean;
  readonly isInSummary: boolean;
}

/** A text, plus its HTML if the field's type has markup. */
export type ProfileValue = string | { readonly value: string; readonly html: string };

/** Custom profile fields, and their values by field and user. Deleting a field drops all its values at once. */
export class ProfileIndex {
  #fields: readonly ProfileFieldRecord[] = [];
  readonly #values = new Map<number, Map<number, ProfileValue>>();

  /** In display order. */
  get fields(): readonly ProfileFieldRecord[] {
    return this.#fields;
  }

  field(id: number): ProfileFieldRecord | undefined {
    return this.#fields.find((field) => field.id === id);
  }

  valueOf(fieldId: number, userId: number): ProfileValue | undefined {
    return this.#values.get(fieldId)?.get(userId);
  }

  /** The values of the field, by user. */
  valuesOf(fieldId: number): ReadonlyMap<number, ProfileValue> {
    return this.#values.get(fieldId) ?? NONE;
  }

  /** For loading and applying events only. Adds or replaces the field. */
  putField(field: ProfileFieldRecord): void {
    const others = this.#fields.filter(({ id }) => id !== field.id);
    this.#fields = [...others, field].sort((a, b) => a.position - b.position || a.id - b.id);
  }

  /** For applying events only. */
  removeField(id: number): void {
    this.#fields = this.#fields.filter((field) => field.id !== id);
    this.#values.delete(id);
  }

  /** For loading and applying events only. @param value undefined removes the value */
  putValue(fieldId: number, userId: number, value: ProfileValue | undefined): void {
    let values = this.#values.get(fieldId);
    if (value === undefined) {
      values?.delete(userId);
      return;
    }
    if (values === undefined) {
      values = new Map();
      this.#values.set(fieldId, values);
    }
    values.set(userId, value);
  }
}

const NONE: ReadonlyMap<number, ProfileValue> = new Map();

/** Without a value, the user has none any more. */
interface ValueDelta {
  readonly delta: 'profile-value';
  readonly fieldId: number;
  readonly userId: number;
  readonly value?: ProfileValue;
}

export type ProfileDelta =
  | { readonly delta: 'profile-field'; readonly field: ProfileFieldRecord }
  | { readonly delta: 'profile-field-gone'; readonly fieldId: number }
  | ValueDelta;

const PAGE_SIZE_ROWS = 50_000;

/** The profiles of the organization's users, in the directory. */
export const profilesPart: DirectoryPart<ProfileIndex, ProfileDelta> = {
  aspect: 'profiles',
  deltas: ['profile-field', 'profile-field-gone', 'profile-value'],
  create: () => new ProfileIndex(),
  /** Skips deleted fields, whose values a job removes. */
  async load(index, snapshot, organizationId) {
    const fields = await snapshot
      .selectFrom('profile_fields')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .execute();
    for (const row of fields) index.putField(profileFieldRecord(row));
    for (const { id } of fields) await loadValues(index, snapshot, organizationId, id);
  },
  apply(index, delta) {
    if (delta.delta === 'profile-field') index.putField(delta.field);
    else if (delta.delta === 'profile-field-gone') index.removeField(delta.fieldId);
    else index.putValue(delta.fieldId, delta.userId, delta.value);
  },
  renews: (delta) => (delta.delta === 'profile-value' ? delta.userId : undefined),
  contents: (index) => [
    index.fields,
    index.fields.map(({ id }) => [...index.valuesOf(id)].toSorted(([a], [b]) => a - b)),
  ],
};

/** In pages along the primary key. */
async function loadValues(
  index: ProfileIndex,
  snapshot: DbTransaction,
  organizationId: number,
  fieldId: number,
): Promise<void> {
  let after = 0;
  for (;;) {
    const rows = await snapshot
      .selectFrom('profile_values')
      .select(['user_id', 'value', 'html'])
      .where('organization_id', '=', organizationId)
      .where('field_id', '=', fieldId)
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(PAGE_SIZE_ROWS)
      .execute();
    for (const { user_id, value, html } of rows) {
      index.putValue(fieldId, user_id, html === null ? value : { value, html });
    }
    after = rows.at(-1)?.user_id ?? after;
    if (rows.length < PAGE_SIZE_ROWS) return;
  }
}

export function profileFieldRecord(row: Row<'profile_fields'>): ProfileFieldRecord {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    hint: row.hint,
    data: row.data,
    position: row.position,
    isRequired: row.is_required,
    isEditableByUser: row.is_editable_by_user,
    isInSummary: row.is_in_summary,
  };
}
