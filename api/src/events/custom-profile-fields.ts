import Type from 'typebox';
import { profileField } from '../objects/profile-field.ts';

/** Something about custom profile fields changed: all of them, as they are now. */
export const customProfileFieldsEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('custom_profile_fields'),
  fields: Type.Array(profileField),
});
