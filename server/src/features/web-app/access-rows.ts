import {
  getWebApp,
  getWebAppFile,
  getWebManifest,
  getWebWorker,
  shareWithWebApp,
} from '@heddle/api/endpoints/web-app.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  // An API key is no session. Where spectators have access, all of these callers get the page of the app, which is not built here.
  row(getWebApp, 'without a session', 'wwwwww +www'),
  row(getWebAppFile, 'one that does not exist', 'ffffff ffff', () => ({ file: 'main.js' })),
  row(getWebWorker, 'of an app that is not built', 'ffffff ffff'),
  row(getWebManifest, 'always', '++++++ ++++'),
  // Without credentials, and without a form.
  row(shareWithWebApp, 'a request that is no form', 'bbbbbb bbbb'),
];
