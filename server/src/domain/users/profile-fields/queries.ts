import type { profileField } from '@heddle/api/objects/profile-field.ts';
import type { profileData } from '@heddle/api/objects/user.ts';
import type { Static } from 'typebox';
import type { Directory } from '../../../directory/directory.ts';
import { type ProfileFieldRecord, profilesPart } from './profiles.ts';

/** The bodies of `realm_user` events about profiles in the log. */
export interface ProfileEvent {
  readonly op: 'profile';
  readonly userId: number;
  readonly fieldId: number;
  /** null: removed. */
  readonly value: string | null;
  readonly html?: string;
}

/** All fields in order, in the API's format. */
export function presentFields(directory: Directory): Static<typeof profileField>[] {
  return directory.part(profilesPart).fields.map(presentField);
}

export function presentField(field: ProfileFieldRecord): Static<typeof profileField> {
  return {
    id: field.id,
    name: field.name,
    type: field.type,
    hint: field.hint,
    field_data: field.data,
    order: field.position,
    required: field.isRequired,
    editable_by_user: field.isEditableByUser,
    ...(field.isInSummary && { display_in_profile_summary: true }),
  };
}

/** The user's profile. Reads the directory, since lists of users need all profiles. */
export function presentProfile(directory: Directory, userId: number): Static<typeof profileData> {
  const profiles = directory.part(profilesPart);
  const data: Static<typeof profileData> = {};
  for (const { id } of profiles.fields) {
    const value = profiles.valueOf(id, userId);
    if (value === undefined) continue;
    data[id] = typeof value === 'string' ? { value } : { value: value.value, rendered_value: value.html };
  }
  return data;
}
