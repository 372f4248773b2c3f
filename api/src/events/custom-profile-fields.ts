import Type from 'typebox';
import { profileField } from '../objects/profile-field.ts';

/** A custom profile field changed. The event contains all fields. */
export const customProfileFieldsEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('custom_profile_fields'),
  fields: Type.Array(profileField),
});
