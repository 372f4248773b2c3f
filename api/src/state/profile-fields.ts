import Type from 'typebox';
import { profileField } from '../objects/profile-field.ts';

export const profileFieldsState = {
  custom_profile_fields: Type.Optional(Type.Array(profileField)),
  custom_profile_field_types: Type.Optional(
    Type.Record(Type.String(), Type.Object({ id: Type.Integer(), name: Type.String() })),
  ),
};
