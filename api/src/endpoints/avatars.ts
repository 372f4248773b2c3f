import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';

const area = 'Users';

export const uploadAvatar = defineEndpoint({
  operationId: 'upload-avatar',
  method: 'POST',
  path: '/users/me/avatar',
  area,
  summary: 'Upload an avatar for the caller',
  authentication: 'required',
  parameters: {},
  body: { takes: 'file', description: 'An image in GIF, JPEG, PNG, WebP or AVIF' },
  response: Type.Object({ avatar_url: Type.String() }),
  errors: ['BAD_IMAGE', 'PAYLOAD_TOO_LARGE'],
});

export const deleteAvatar = defineEndpoint({
  operationId: 'delete-avatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  area,
  summary: 'Delete the avatar of the caller',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ avatar_url: Type.String() }),
  errors: [],
});

const lead = {
  method: 'GET',
  area,
  authentication: 'optional',
  keyInUrl: 'anyone',
  description: 'Without credentials it accepts only IDs, and only in organizations with spectators.',
  parameters: { user: inPath(text({ maxLength: 500 }), { description: 'The ID or address of a user' }) },
  response: { kind: 'redirect', description: 'A redirect to the avatar' },
  errors: [],
} as const;

export const getAvatar = defineEndpoint({
  ...lead,
  operationId: 'get-avatar',
  session: true,
  path: '/avatar/{user}',
  summary: 'Get the avatar of a user',
  outsideApi: true,
});

export const getMediumAvatar = defineEndpoint({
  ...lead,
  operationId: 'get-medium-avatar',
  session: true,
  path: '/avatar/{user}/medium',
  summary: 'Get the medium avatar of a user',
  outsideApi: true,
});

export const getAvatarByApi = defineEndpoint({
  ...lead,
  operationId: 'get-avatar-by-api',
  path: '/avatar/{user}',
  summary: 'Get the avatar of a user',
});

export const getMediumAvatarByApi = defineEndpoint({
  ...lead,
  operationId: 'get-medium-avatar-by-api',
  path: '/avatar/{user}/medium',
  summary: 'Get the medium avatar of a user',
});

const picture = {
  method: 'GET',
  area,
  outsideApi: true,
  authentication: 'none',
  errors: [],
} as const;

export const getAvatarPicture = defineEndpoint({
  ...picture,
  operationId: 'get-avatar-picture',
  path: '/user_avatars/{organization_id}/{file}',
  summary: 'Get an uploaded avatar',
  parameters: { organization_id: inPath(Type.Integer()), file: inPath(text({ maxLength: 100 })) },
  response: { kind: 'file', contentTypes: ['image/png'] },
});

export const getPatternPicture = defineEndpoint({
  ...picture,
  operationId: 'get-pattern-picture',
  path: '/static/patterns/{file}',
  summary: 'Get a generated avatar',
  parameters: { file: inPath(text({ maxLength: 100 })) },
  response: { kind: 'file', contentTypes: ['image/png'] },
});
