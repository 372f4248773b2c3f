import Type from 'typebox';
import { list, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import {
  fieldData,
  MAX_FIELD_DATA_LENGTH,
  MAX_FIELD_HINT_LENGTH,
  MAX_FIELD_NAME_LENGTH,
  MAX_PROFILE_FIELDS,
  profileDataUpdates,
  profileField,
} from '../objects/profile-field.ts';

const AREA = 'Profile fields';
const FOR_ADMINISTRATORS = 'For administrators of the organization.';

const name = text({ description: `At most ${MAX_FIELD_NAME_LENGTH} characters. Unique` });
const hint = text({ description: `At most ${MAX_FIELD_HINT_LENGTH} characters` });
const data = { description: `JSON of at most ${MAX_FIELD_DATA_LENGTH} characters` };
const inSummary = { description: 'At most two fields of an organization. Not for the types long text and users' };

export const getProfileFields = defineEndpoint({
  operationId: 'get-custom-profile-fields',
  method: 'GET',
  path: '/realm/profile_fields',
  area: AREA,
  summary: 'List custom profile fields in their order',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ custom_fields: Type.Array(profileField) }),
  errors: [],
});

export const createProfileField = defineEndpoint({
  operationId: 'create-custom-profile-field',
  method: 'POST',
  path: '/realm/profile_fields',
  area: AREA,
  summary: 'Create a custom profile field',
  description: `${FOR_ADMINISTRATORS} For well-known external accounts, the server ignores the given name and hint.`,
  authentication: 'required',
  parameters: {
    name: defaulted(name, ''),
    hint: defaulted(hint, ''),
    field_type: required(Type.Integer()),
    field_data: defaulted(fieldData, {}, data),
    display_in_profile_summary: defaulted(Type.Boolean(), false, inSummary),
    required: defaulted(Type.Boolean(), false),
    editable_by_user: defaulted(Type.Boolean(), true),
  },
  response: Type.Object({ id: Type.Integer() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const reorderProfileFields = defineEndpoint({
  operationId: 'reorder-custom-profile-fields',
  method: 'PATCH',
  path: '/realm/profile_fields',
  area: AREA,
  summary: 'Change the order of custom profile fields',
  description: FOR_ADMINISTRATORS,
  authentication: 'required',
  parameters: { order: required(list(Type.Integer(), MAX_PROFILE_FIELDS), { description: 'The IDs of all fields' }) },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const updateProfileField = defineEndpoint({
  operationId: 'update-custom-profile-field',
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  area: AREA,
  summary: 'Change a custom profile field',
  description: `${FOR_ADMINISTRATORS} The type cannot change. Users who chose a removed option lose their value.`,
  authentication: 'required',
  parameters: {
    field_id: inPath(Type.Integer()),
    name: optional(name),
    hint: optional(hint),
    field_data: optional(fieldData, data),
    display_in_profile_summary: optional(Type.Boolean(), inSummary),
    required: optional(Type.Boolean()),
    editable_by_user: optional(Type.Boolean()),
  },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const deleteProfileField = defineEndpoint({
  operationId: 'delete-custom-profile-field',
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  area: AREA,
  summary: 'Delete a custom profile field and all its values',
  description: FOR_ADMINISTRATORS,
  authentication: 'required',
  parameters: { field_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const updateProfileData = defineEndpoint({
  operationId: 'update-profile-data',
  method: 'PATCH',
  path: '/users/me/profile_data',
  area: AREA,
  summary: 'Set values in the profile of the caller',
  description: 'Not for bots. The request succeeds or fails as a whole.',
  authentication: 'required',
  parameters: { data: required(profileDataUpdates) },
  response: Type.Object({}),
  errors: [],
});

export const deleteProfileData = defineEndpoint({
  operationId: 'remove-profile-data',
  method: 'DELETE',
  path: '/users/me/profile_data',
  area: AREA,
  summary: 'Remove values from the profile of the caller',
  description: 'Not for bots.',
  authentication: 'required',
  parameters: { data: required(list(Type.Integer(), MAX_PROFILE_FIELDS), { description: 'IDs of fields' }) },
  response: Type.Object({}),
  errors: [],
});
