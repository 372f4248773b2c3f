import { PROFILE_FIELD_TYPES } from '@heddle/api/objects/profile-field.ts';
import { type StatePart, statePart } from '../../../extension/initial-state.ts';
import { rememberedState } from '../../../extension/remembered-state.ts';
import { presentFields } from './queries.ts';

const fields = rememberedState(['profiles'], (directory) => ({
  custom_profile_fields: presentFields(directory),
  custom_profile_field_types: PROFILE_FIELD_TYPES,
}));

export const profileFieldsState: readonly StatePart[] = [
  statePart({
    types: ['custom_profile_fields'],
    build: ({ directory }) => fields(directory),
    // Spectators get the field types, but no fields and no values.
    spectators: { build: () => ({ custom_profile_fields: [], custom_profile_field_types: PROFILE_FIELD_TYPES }) },
  }),
];
