import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';

const area = 'Files';
const upload_id = inPath(text({ maxLength: 64 }));
const description = 'A request of the protocol tus 1.0 (https://tus.io), with its headers.';

export const createResumableUpload = defineEndpoint({
  operationId: 'create-resumable-upload',
  method: 'POST',
  path: '/tus',
  area,
  summary: 'Begin an upload that can be resumed',
  description: `${description} \`Upload-Metadata\` says \`filename\` and \`filetype\`.`,
  authentication: 'required',
  session: true,
  parameters: {},
  body: {
    takes: 'protocol',
    contentTypes: ['application/offset+octet-stream'],
    description: 'Its first bytes, if any',
  },
  response: { gives: 'protocol', status: 201, description: 'Where it goes on is in `Location`' },
  errors: [],
});

export const createResumableUploadInDirectory = defineEndpoint({
  ...createResumableUpload,
  operationId: 'create-resumable-upload-in-directory',
  path: '/tus/',
});

export const getResumableUpload = defineEndpoint({
  operationId: 'get-resumable-upload',
  method: 'HEAD',
  path: '/tus/{upload_id}',
  area,
  summary: 'How much of an upload has come',
  description,
  authentication: 'required',
  session: true,
  parameters: { upload_id },
  body: { takes: 'protocol', contentTypes: [] },
  response: { gives: 'protocol', status: 200, description: 'It is in `Upload-Offset`' },
  errors: [],
});

export const continueResumableUpload = defineEndpoint({
  operationId: 'continue-resumable-upload',
  method: 'PATCH',
  path: '/tus/{upload_id}',
  area,
  summary: 'Go on with an upload',
  description: `${description} The answer to the last bytes is \`{"url": …, "filename": …}\` as JSON, as that of \`POST /user_uploads\` says.`,
  authentication: 'required',
  session: true,
  parameters: { upload_id },
  body: { takes: 'protocol', contentTypes: ['application/offset+octet-stream'] },
  response: { gives: 'protocol', status: 204 },
  errors: [],
});

export const abandonResumableUpload = defineEndpoint({
  operationId: 'abandon-resumable-upload',
  method: 'DELETE',
  path: '/tus/{upload_id}',
  area,
  summary: 'Give an upload up',
  description,
  authentication: 'required',
  session: true,
  parameters: { upload_id },
  body: { takes: 'protocol', contentTypes: [] },
  response: { gives: 'protocol', status: 204 },
  errors: [],
});
