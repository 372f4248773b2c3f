import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';

export const getExternalImage = defineEndpoint({
  operationId: 'get-external-image',
  method: 'GET',
  path: '/external_content/{digest}/{received_url}',
  outsideApi: true,
  area: 'Files',
  summary: 'Get an image of another server in a message',
  description:
    'Messages contain these URLs with a signature. Browsers of readers then do not contact the other server, and others cannot use this server as a proxy. The response is a PNG, JPEG, GIF, WebP or AVIF image of at most 5 MiB.',
  authentication: 'none',
  parameters: {
    digest: inPath(text({ maxLength: 64 }), { description: 'The signature' }),
    received_url: inPath(text({ maxLength: 4096 }), { restOfPath: true, description: 'The URL in hexadecimal' }),
  },
  response: { kind: 'file', contentTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] },
  errors: ['NOT_FOUND'],
});
