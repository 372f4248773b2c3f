import type { EventOfType, InitialState, ProfileField } from '../../calls/types.ts';
import { Subject } from '../changes.ts';
import type { Users } from './users.ts';

/** The types of profile fields, by name. */
export const PROFILE_FIELD_TYPES = {
  shortText: 1,
  longText: 2,
  select: 3,
  date: 4,
  url: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;

export interface ProfileFieldRecord {
  readonly id: number;
  readonly name: string;
  /** One of `PROFILE_FIELD_TYPES`. */
  readonly type: number;
  readonly hint: string;
  /** The options of a `select` field by key, or `subtype` and `url_pattern` of an external account. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly order: number;
  /** Clients ask for a value, but the server does not require it. */
  readonly isRequired: boolean;
  /** False if only administrators can set values. */
  readonly isEditableByUser: boolean;
  readonly isInSummary: boolean;
}

export interface ProfileValue {
  readonly field: ProfileFieldRecord;
  readonly value: string;
  /** HTML, for text fields. */
  readonly html: string | undefined;
}

/**
 * The custom profile fields of the organization.
 *
 * Invariants:
 * - `all` is in the order of the fields.
 * - A value counts only if its field exists. So the removal of a field does not visit the users.
 */
export class ProfileFields {
  readonly changes = new Subject();
  readonly #users: Users;
  all: readonly ProfileFieldRecord[];

  constructor(state: InitialState, users: Users) {
    this.#users = users;
    this.all = recordsOf(state.custom_profile_fields ?? []);
  }

  /** The values of a user in the order of the fields. Empty for bots and inaccessible users. */
  valuesOf(userId: number): ProfileValue[] {
    const profile = this.#users.get(userId)?.profileData ?? {};
    return this.all.flatMap((field) => {
      const stored = profile[field.id];
      return stored === undefined ? [] : [{ field, value: stored.value, html: stored.rendered_value }];
    });
  }

  apply({ fields }: EventOfType<'custom_profile_fields'>): void {
    this.all = recordsOf(fields);
    this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    const users = [...this.#users.all.keys()].sort((a, b) => a - b);
    const values = users.flatMap((id) => {
      const own = this.valuesOf(id).map(({ field, value, html }) => [field.id, value, html]);
      return own.length === 0 ? [] : [[id, own]];
    });
    return { fields: this.all, values };
  }
}

function recordsOf(fields: readonly ProfileField[]): ProfileFieldRecord[] {
  return fields
    .map((field) => ({
      id: field.id,
      name: field.name,
      type: field.type,
      hint: field.hint,
      data: field.field_data === '' ? {} : (JSON.parse(field.field_data) as Record<string, unknown>),
      order: field.order,
      isRequired: field.required,
      isEditableByUser: field.editable_by_user,
      isInSummary: field.display_in_profile_summary ?? false,
    }))
    .sort((a, b) => a.order - b.order);
}
