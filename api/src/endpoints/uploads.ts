import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';
import { attachment } from '../objects/attachment.ts';

const area = 'Files';
const organization = inPath(Type.Integer(), { description: "The organization's id" });
const filename = inPath(text({ maxLength: 1000 }), { restOfPath: true, description: 'The rest of the file’s address' });
const path = { realm_id_str: organization, filename };

export const uploadFile = defineEndpoint({
  operationId: 'upload-file',
  method: 'POST',
  path: '/user_uploads',
  area,
  summary: 'Upload a file',
  description:
    'Only its owner can open it until a message links to it; from then on, whoever can read such a message. Files above 25 MB are better sent to `/api/v1/tus`.',
  authentication: 'required',
  session: true,
  parameters: {},
  body: { takes: 'file', description: 'The file' },
  response: Type.Object({
    url: Type.String({ description: 'A path of the organization’s address' }),
    uri: Type.String({ description: 'The same, for older clients' }),
    filename: Type.String({ description: 'For the text of a link, without its square brackets' }),
  }),
  errors: ['REALM_UPLOAD_QUOTA'],
});

export const getFileTemporaryUrl = defineEndpoint({
  operationId: 'get-file-temporary-url',
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename}',
  area,
  summary: 'Get an address that opens a file without credentials',
  description: 'It works for a minute.',
  authentication: 'optional',
  parameters: path,
  response: Type.Object({ url: Type.String({ description: 'A path of the organization’s address' }) }),
  errors: ['NOT_FOUND'],
});

const anyFile = { gives: 'file', contentTypes: ['*/*'] } as const;

export const getFile = defineEndpoint({
  operationId: 'get-file',
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename}',
  outsideApi: true,
  area,
  summary: 'Open an uploaded file',
  authentication: 'optional',
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
  summary: 'Save an uploaded file',
  authentication: 'optional',
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
  summary: 'Open an uploaded file by its temporary address',
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
  summary: 'Open an uploaded picture in another size',
  description:
    'The address of the file, and then the name of a format: one of `server_thumbnail_formats`, or what a message says.',
  authentication: 'optional',
  session: true,
  parameters: path,
  response: { gives: 'file', contentTypes: ['image/webp'] },
  errors: [],
});

export const getThumbnailStatus = defineEndpoint({
  operationId: 'get-thumbnail-status',
  method: 'GET',
  path: '/thumbnail/status/{realm_id_str}/{filename}',
  area,
  summary: 'Whether an uploaded picture is there in other sizes',
  authentication: 'optional',
  parameters: path,
  response: Type.Object({
    has_thumbnail: Type.Boolean({ description: 'False while they are drawn, and for files that are no pictures' }),
  }),
  errors: ['NOT_FOUND'],
});

export const getLoadingPicture = defineEndpoint({
  operationId: 'get-loading-picture',
  method: 'GET',
  path: '/static/images/loading/loader-black.svg',
  outsideApi: true,
  area,
  summary: 'What messages show where a picture is still drawn',
  authentication: 'none',
  parameters: {},
  response: { gives: 'file', contentTypes: ['image/svg+xml'] },
  errors: [],
});

export const getAttachments = defineEndpoint({
  operationId: 'get-attachments',
  method: 'GET',
  path: '/attachments',
  area,
  summary: 'The caller’s uploaded files',
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    attachments: Type.Array(attachment, { description: 'The newest 5,000, newest first' }),
    upload_space_used: Type.Integer({ description: 'Bytes, of all files of the organization' }),
  }),
  errors: [],
});

export const removeAttachment = defineEndpoint({
  operationId: 'remove-attachment',
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  area,
  summary: 'Delete one of the caller’s uploaded files',
  description: 'Messages keep their links to it, which lead nowhere then.',
  authentication: 'required',
  parameters: { attachment_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: [],
});
