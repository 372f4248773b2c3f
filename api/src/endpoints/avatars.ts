import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';

const area = 'Users';

export const uploadAvatar = defineEndpoint({
  operationId: 'upload-avatar',
  method: 'POST',
  path: '/users/me/avatar',
  area,
  summary: "Set the caller's picture",
  authentication: 'required',
  parameters: {},
  body: { takes: 'file', description: 'A picture in GIF, JPEG, PNG, WebP or AVIF' },
  response: Type.Object({ avatar_url: Type.String() }),
  errors: ['BAD_IMAGE', 'PAYLOAD_TOO_LARGE'],
});

export const deleteAvatar = defineEndpoint({
  operationId: 'delete-avatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  area,
  summary: "Take the caller's own picture away",
  authentication: 'required',
  parameters: {},
  response: Type.Object({ avatar_url: Type.String() }),
  errors: [],
});

const lead = {
  method: 'GET',
  area,
  authentication: 'optional',
  description: 'Without credentials only by id, and only where the organization lets spectators in.',
  parameters: { user: inPath(text({ maxLength: 500 }), { description: "A user's id or address" }) },
  response: { gives: 'redirect', description: 'To the picture' },
  errors: [],
} as const;

export const getAvatar = defineEndpoint({
  ...lead,
  operationId: 'get-avatar',
  session: true,
  path: '/avatar/{user}',
  summary: "Somebody's picture",
  outsideApi: true,
});

export const getMediumAvatar = defineEndpoint({
  ...lead,
  operationId: 'get-medium-avatar',
  session: true,
  path: '/avatar/{user}/medium',
  summary: "Somebody's picture, larger",
  outsideApi: true,
});

export const getAvatarByApi = defineEndpoint({
  ...lead,
  operationId: 'get-avatar-by-api',
  path: '/avatar/{user}',
  summary: "Somebody's picture",
});

export const getMediumAvatarByApi = defineEndpoint({
  ...lead,
  operationId: 'get-medium-avatar-by-api',
  path: '/avatar/{user}/medium',
  summary: "Somebody's picture, larger",
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
  summary: 'The picture that somebody has uploaded',
  parameters: { organization_id: inPath(Type.Integer()), file: inPath(text({ maxLength: 100 })) },
  response: { gives: 'file', contentTypes: ['image/png'] },
});

export const getPatternPicture = defineEndpoint({
  ...picture,
  operationId: 'get-pattern-picture',
  path: '/static/patterns/{file}',
  summary: 'A pattern, where there is no other picture',
  parameters: { file: inPath(text({ maxLength: 100 })) },
  response: { gives: 'file', contentTypes: ['image/png'] },
});
