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
  summary: 'Begin a resumable upload',
  description: `${description} \`Upload-Metadata\` contains \`filename\` and \`filetype\`.`,
  authentication: 'required',
  session: true,
  parameters: {},
  body: {
    takes: 'protocol',
    contentTypes: ['application/offset+octet-stream'],
    description: 'The first bytes, if any',
  },
  response: { kind: 'protocol', status: 201, description: '`Location` contains the URL of the upload' },
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
  summary: 'Get the offset of an upload',
  description,
  authentication: 'required',
  session: true,
  parameters: { upload_id },
  body: { takes: 'protocol', contentTypes: [] },
  response: { kind: 'protocol', status: 200, description: '`Upload-Offset` contains the offset' },
  errors: [],
});

export const continueResumableUpload = defineEndpoint({
  operationId: 'continue-resumable-upload',
  method: 'PATCH',
  path: '/tus/{upload_id}',
  area,
  summary: 'Continue an upload',
  description: `${description} The response to the last bytes is JSON: \`{"url": …, "filename": …}\`, as in \`POST /user_uploads\`.`,
  authentication: 'required',
  session: true,
  parameters: { upload_id },
  body: { takes: 'protocol', contentTypes: ['application/offset+octet-stream'] },
  response: { kind: 'protocol', status: 204 },
  errors: [],
});

export const abandonResumableUpload = defineEndpoint({
  operationId: 'abandon-resumable-upload',
  method: 'DELETE',
  path: '/tus/{upload_id}',
  area,
  summary: 'Cancel an upload',
  description,
  authentication: 'required',
  session: true,
  parameters: { upload_id },
  body: { takes: 'protocol', contentTypes: [] },
  response: { kind: 'protocol', status: 204 },
  errors: [],
});
