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
  summary: "All of the organization's own emoji",
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
  summary: 'Add an emoji of your own',
  authentication: 'required',
  parameters: { emoji_name: name },
  body: { takes: 'file', description: 'A picture in GIF, JPEG, PNG, WebP or AVIF, which may move' },
  response: Type.Object({}),
  errors: ['BAD_IMAGE', 'PAYLOAD_TOO_LARGE'],
});

export const deactivateCustomEmoji = defineEndpoint({
  operationId: 'deactivate-custom-emoji',
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  area,
  summary: "Put one of the organization's own emoji out of use",
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
  summary: 'The picture of a custom emoji',
  response: { gives: 'file', contentTypes: ['image/png', 'image/gif', 'image/webp'] },
});

export const getStillEmojiPicture = defineEndpoint({
  ...picture,
  operationId: 'get-still-emoji-picture',
  path: `${PICTURES}/still/{file}`,
  summary: 'The picture of a custom emoji that moves, without moving',
  response: { gives: 'file', contentTypes: ['image/png'] },
});
