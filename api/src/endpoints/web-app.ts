import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';

const ofWebApp = { outsideApi: true, area: 'Pages', authentication: 'none', errors: [] } as const;

export const getWebApp = defineEndpoint({
  ...ofWebApp,
  operationId: 'get-web-app',
  method: 'GET',
  path: '/',
  summary: 'Show the web app',
  description:
    'Users with a session get the app, and so do visitors of organizations with channels for spectators. All others are redirected to the login page.',
  parameters: {},
  response: { kind: 'page' },
});

export const getWebAppFile = defineEndpoint({
  ...ofWebApp,
  operationId: 'get-web-app-file',
  method: 'GET',
  path: '/static/app/{file}',
  summary: 'Get a script, a style sheet or another file of the web app',
  description: 'The name of a file changes with its content, so clients can keep the file forever.',
  parameters: { file: inPath(text({ maxLength: 200 })) },
  response: { kind: 'file', contentTypes: ['*/*'] },
});

export const shareWithWebApp = defineEndpoint({
  ...ofWebApp,
  operationId: 'share-with-web-app',
  method: 'POST',
  path: '/share',
  summary: 'Share a text with the web app',
  description:
    'The share target of the manifest. The service worker of the app answers it, with files too. Without the worker, the server leads to the app with the text in the fragment. It reads and keeps no files.',
  parameters: {},
  body: { takes: 'protocol', contentTypes: ['multipart/form-data'] },
  response: { kind: 'protocol', status: 303, description: '`Location` is the view of the app that shares the text' },
});

export const getWebManifest = defineEndpoint({
  ...ofWebApp,
  operationId: 'get-web-manifest',
  method: 'GET',
  path: '/manifest.webmanifest',
  summary: 'Get the manifest with which browsers install the web app',
  parameters: {},
  response: { kind: 'file', contentTypes: ['application/manifest+json'] },
});

export const getWebWorker = defineEndpoint({
  ...ofWebApp,
  operationId: 'get-web-worker',
  method: 'GET',
  path: '/worker.js',
  summary: 'Get the service worker of the web app',
  description: 'It keeps the files of the app in the browser. Its content changes with each build of the app.',
  parameters: {},
  response: { kind: 'file', contentTypes: ['text/javascript'] },
});
