import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, required } from '../contract.ts';

const area = 'Organization';
const body = { takes: 'file', description: 'A picture in GIF, JPEG, PNG, WebP or AVIF' } as const;
const night = required(Type.Boolean(), { description: 'Whether it is the one for dark themes' });

export const uploadIcon = defineEndpoint({
  operationId: 'upload-realm-icon',
  method: 'POST',
  path: '/realm/icon',
  area,
  summary: "Set the organization's square picture",
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
  summary: "Take the organization's square picture away",
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
  summary: "The organization's square picture",
  authentication: 'required',
  parameters: {},
  response: { gives: 'redirect', description: 'To the picture' },
  errors: [],
});

export const uploadLogo = defineEndpoint({
  operationId: 'upload-realm-logo',
  method: 'POST',
  path: '/realm/logo',
  area,
  summary: "Set the organization's wide picture",
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
  summary: "Take the organization's wide picture away",
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
  summary: "The organization's wide picture",
  authentication: 'required',
  parameters: { night },
  response: { gives: 'redirect', description: 'To the picture' },
  errors: [],
});

export const getOrganizationPicture = defineEndpoint({
  operationId: 'get-realm-picture',
  method: 'GET',
  path: '/user_avatars/{organization_id}/realm/{file}',
  area,
  summary: "An organization's uploaded icon or logo",
  outsideApi: true,
  authentication: 'none',
  parameters: { organization_id: inPath(Type.Integer()), file: inPath(text({ maxLength: 100 })) },
  response: { gives: 'file', contentTypes: ['image/png'] },
  errors: [],
});
