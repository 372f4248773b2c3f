import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';
import { attachment } from '../objects/attachment.ts';

const area = 'Files';
const organization = inPath(Type.Integer(), { description: 'The ID of the organization' });
const filename = inPath(text({ maxLength: 1000 }), {
  restOfPath: true,
  description: 'The rest of the path of the file',
});
const path = { realm_id_str: organization, filename };

export const uploadFile = defineEndpoint({
  operationId: 'upload-file',
  method: 'POST',
  path: '/user_uploads',
  area,
  summary: 'Upload a file',
  description:
    'Only the owner can access the file until a message links to it. Then all users who can read such a message can access it. For files over 25 MB, `/api/v1/tus` is better.',
  authentication: 'required',
  session: true,
  parameters: {},
  body: { takes: 'file', description: 'The file' },
  response: Type.Object({
    url: Type.String({ description: 'A path of this organization' }),
    uri: Type.String({ description: 'The same for older clients' }),
    filename: Type.String({ description: 'The text of a link, without square brackets' }),
  }),
  errors: ['REALM_UPLOAD_QUOTA'],
});

export const getFileTemporaryUrl = defineEndpoint({
  operationId: 'get-file-temporary-url',
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename}',
  area,
  summary: 'Get a temporary URL of a file, which requires no credentials',
  description: 'The URL is valid for one minute.',
  authentication: 'optional',
  keyInUrl: 'anyone',
  parameters: path,
  secrets: 'always',
  response: Type.Object({ url: Type.String({ description: 'A path of this organization' }) }),
  errors: ['NOT_FOUND'],
});

const anyFile = { kind: 'file', contentTypes: ['*/*'] } as const;

export const getFile = defineEndpoint({
  operationId: 'get-file',
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename}',
  outsideApi: true,
  area,
  summary: 'Get an uploaded file',
  authentication: 'optional',
  keyInUrl: 'anyone',
  session: true,
  parameters: path,
  response: anyFile,
  errors: [],
});

export const downloadFile = defineEndpoint({
  operationId: 'download-file',
  method: 'GET',
  path: '/user_uploads/download/{realm_id_str}/{filename}',
  outsideApi: true,
  area,
  summary: 'Download an uploaded file',
  authentication: 'optional',
  keyInUrl: 'anyone',
  session: true,
  parameters: path,
  response: anyFile,
  errors: [],
});

export const getTemporaryFile = defineEndpoint({
  operationId: 'get-temporary-file',
  method: 'GET',
  path: '/user_uploads/temporary/{token}/{filename}',
  outsideApi: true,
  area,
  summary: 'Get an uploaded file by its temporary URL',
  authentication: 'none',
  parameters: { token: inPath(text({ maxLength: 200 })), filename: inPath(text({ maxLength: 1000 })) },
  response: anyFile,
  errors: [],
});

export const getThumbnail = defineEndpoint({
  operationId: 'get-thumbnail',
  method: 'GET',
  path: '/user_uploads/thumbnail/{realm_id_str}/{filename}',
  outsideApi: true,
  area,
  summary: 'Get a thumbnail of an uploaded image',
  description:
    'The path of the file, followed by the name of a format: one of `server_thumbnail_formats`, or a name from a message.',
  authentication: 'optional',
  keyInUrl: 'anyone',
  session: true,
  parameters: path,
  response: { kind: 'file', contentTypes: ['image/webp'] },
  errors: [],
});

export const getThumbnailStatus = defineEndpoint({
  operationId: 'get-thumbnail-status',
  method: 'GET',
  path: '/thumbnail/status/{realm_id_str}/{filename}',
  area,
  summary: 'Check whether an uploaded image has thumbnails',
  authentication: 'optional',
  parameters: path,
  response: Type.Object({
    has_thumbnail: Type.Boolean({
      description: 'False while the server generates them, and for files that are not images',
    }),
  }),
  errors: ['NOT_FOUND'],
});

export const getLoadingPicture = defineEndpoint({
  operationId: 'get-loading-picture',
  method: 'GET',
  path: '/static/images/loading/loader-black.svg',
  outsideApi: true,
  area,
  summary: 'Get the placeholder of an image whose thumbnails are not ready',
  authentication: 'none',
  parameters: {},
  response: { kind: 'file', contentTypes: ['image/svg+xml'] },
  errors: [],
});

export const getAttachments = defineEndpoint({
  operationId: 'get-attachments',
  method: 'GET',
  path: '/attachments',
  area,
  summary: 'List the uploaded files of the caller',
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    attachments: Type.Array(attachment, { description: 'The newest 5,000 files, newest first' }),
    upload_space_used: Type.Integer({ description: 'Total size of the files of the organization in bytes' }),
  }),
  errors: [],
});

export const removeAttachment = defineEndpoint({
  operationId: 'remove-attachment',
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  area,
  summary: 'Delete an uploaded file of the caller',
  description: 'Links to the file in messages remain, but no longer work.',
  authentication: 'required',
  parameters: { attachment_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: [],
});
