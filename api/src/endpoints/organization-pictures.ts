import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, required } from '../contract.ts';

const area = 'Organization';
const body = { takes: 'file', description: 'An image in GIF, JPEG, PNG, WebP or AVIF' } as const;
const night = required(Type.Boolean(), { description: 'Whether the logo is for dark themes' });

export const uploadIcon = defineEndpoint({
  operationId: 'upload-realm-icon',
  method: 'POST',
  path: '/realm/icon',
  area,
  summary: 'Upload the icon of the organization',
  authentication: 'required',
  parameters: {},
  body,
  response: Type.Object({ icon_url: Type.String() }),
  errors: ['BAD_IMAGE', 'PAYLOAD_TOO_LARGE', 'UNAUTHORIZED_PRINCIPAL'],
});

export const deleteIcon = defineEndpoint({
  operationId: 'delete-realm-icon',
  method: 'DELETE',
  path: '/realm/icon',
  area,
  summary: 'Delete the icon of the organization',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ icon_url: Type.String() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const getIcon = defineEndpoint({
  operationId: 'get-realm-icon',
  method: 'GET',
  path: '/realm/icon',
  area,
  summary: 'Get the icon of the organization',
  authentication: 'required',
  parameters: {},
  response: { kind: 'redirect', description: 'A redirect to the image' },
  errors: [],
});

export const uploadLogo = defineEndpoint({
  operationId: 'upload-realm-logo',
  method: 'POST',
  path: '/realm/logo',
  area,
  summary: 'Upload a logo of the organization',
  authentication: 'required',
  parameters: { night },
  body,
  response: Type.Object({}),
  errors: ['BAD_IMAGE', 'PAYLOAD_TOO_LARGE', 'UNAUTHORIZED_PRINCIPAL'],
});

export const deleteLogo = defineEndpoint({
  operationId: 'delete-realm-logo',
  method: 'DELETE',
  path: '/realm/logo',
  area,
  summary: 'Delete a logo of the organization',
  authentication: 'required',
  parameters: { night },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const getLogo = defineEndpoint({
  operationId: 'get-realm-logo',
  method: 'GET',
  path: '/realm/logo',
  area,
  summary: 'Get a logo of the organization',
  authentication: 'required',
  parameters: { night },
  response: { kind: 'redirect', description: 'A redirect to the image' },
  errors: [],
});

export const getOrganizationPicture = defineEndpoint({
  operationId: 'get-realm-picture',
  method: 'GET',
  path: '/user_avatars/{organization_id}/realm/{file}',
  area,
  summary: 'Get an uploaded icon or logo',
  outsideApi: true,
  authentication: 'none',
  parameters: { organization_id: inPath(Type.Integer()), file: inPath(text({ maxLength: 100 })) },
  response: { kind: 'file', contentTypes: ['image/png'] },
  errors: [],
});
