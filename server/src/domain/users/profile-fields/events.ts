import type { profileField } from '@heddle/api/objects/profile-field.ts';
import type { Static } from 'typebox';
import type { Presenter } from '../../../directory/presenters.ts';

/** The bodies of `custom_profile_fields` events in the log. */
export interface FieldsBody {
  readonly fields: readonly Static<typeof profileField>[];
}

export const profileFieldsPresenter: Presenter = {
  present({ body }) {
    const { fields } = body as FieldsBody;
    return { type: 'custom_profile_fields', fields };
  },
};
