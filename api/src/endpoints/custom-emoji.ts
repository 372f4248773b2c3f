import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';
import { customEmojiById } from '../objects/custom-emoji.ts';

const area = 'Organization';
const name = inPath(text({ maxLength: 1000 }), { restOfPath: true });

export const getCustomEmoji = defineEndpoint({
  operationId: 'get-custom-emoji',
  method: 'GET',
  path: '/realm/emoji',
  area,
  summary: 'List all custom emoji',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ emoji: customEmojiById }),
  errors: [],
});

export const uploadCustomEmoji = defineEndpoint({
  operationId: 'upload-custom-emoji',
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  area,
  summary: 'Add a custom emoji',
  authentication: 'required',
  parameters: { emoji_name: name },
  body: { takes: 'file', description: 'An image in GIF, JPEG, PNG, WebP or AVIF, optionally animated' },
  response: Type.Object({}),
  errors: ['BAD_IMAGE', 'PAYLOAD_TOO_LARGE'],
});

export const deactivateCustomEmoji = defineEndpoint({
  operationId: 'deactivate-custom-emoji',
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  area,
  summary: 'Deactivate a custom emoji',
  authentication: 'required',
  parameters: { emoji_name: name },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});

const PICTURES = '/user_avatars/{organization_id}/emoji/images';
const picture = {
  method: 'GET',
  area,
  outsideApi: true,
  authentication: 'none',
  parameters: { organization_id: inPath(Type.Integer()), file: inPath(text({ maxLength: 100 })) },
  errors: [],
} as const;

export const getEmojiPicture = defineEndpoint({
  ...picture,
  operationId: 'get-emoji-picture',
  path: `${PICTURES}/{file}`,
  summary: 'Get the image of a custom emoji',
  response: { kind: 'file', contentTypes: ['image/png', 'image/gif', 'image/webp'] },
});

export const getStillEmojiPicture = defineEndpoint({
  ...picture,
  operationId: 'get-still-emoji-picture',
  path: `${PICTURES}/still/{file}`,
  summary: 'Get the still image of an animated custom emoji',
  response: { kind: 'file', contentTypes: ['image/png'] },
});
