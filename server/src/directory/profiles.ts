/** Custom profile fields and the values of all users. */

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
