/** What profiles can say, and say: custom profile fields with everybody's values. */

export interface ProfileFieldRecord {
  readonly id: number;
  readonly name: string;
  /** A number of the wire's (`PROFILE_FIELD_TYPES`). */
  readonly type: number;
  readonly hint: string;
  /** JSON, or empty. */
  readonly data: string;
  readonly position: number;
  readonly isRequired: boolean;
  readonly isEditableByUser: boolean;
  readonly isInSummary: boolean;
}

/** A text, with its HTML where the field's type has markup. */
export type ProfileValue = string | { readonly value: string; readonly html: string };

/**
 * Values by field, then by user: a hundred thousand of them are a hundred thousand entries of maps and their texts, and a field that goes
 * takes its values along at once.
 */
export class ProfileIndex {
  #fields: readonly ProfileFieldRecord[] = [];
  readonly #values = new Map<number, Map<number, ProfileValue>>();

  /** In their order. */
  get fields(): readonly ProfileFieldRecord[] {
    return this.#fields;
  }

  field(id: number): ProfileFieldRecord | undefined {
    return this.#fields.find((field) => field.id === id);
  }

  valueOf(fieldId: number, userId: number): ProfileValue | undefined {
    return this.#values.get(fieldId)?.get(userId);
  }

  /** Who has which value of the field. */
  valuesOf(fieldId: number): ReadonlyMap<number, ProfileValue> {
    return this.#values.get(fieldId) ?? NONE;
  }

  /** For loading and folding only: a field that is new, or has changed. */
  putField(field: ProfileFieldRecord): void {
    const others = this.#fields.filter(({ id }) => id !== field.id);
    this.#fields = [...others, field].sort((a, b) => a.position - b.position || a.id - b.id);
  }

  /** For folding only. */
  removeField(id: number): void {
    this.#fields = this.#fields.filter((field) => field.id !== id);
    this.#values.delete(id);
  }

  /** For loading and folding only. @param value undefined: none any more */
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
