import {
  getWebApp,
  getWebAppFile,
  getWebManifest,
  getWebWorker,
  shareWithWebApp,
} from '@heddle/api/endpoints/web-app.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = () => [
  probesOf(getWebApp, { contained: [{}] }),
  probesOf(getWebAppFile, { refused: [{ file: 'build.json' }, { file: '../index.html' }] }),
  probesOf(getWebWorker, { contained: [{}] }),
  probesOf(getWebManifest, { contained: [{}] }),
  probesOf(shareWithWebApp, { contained: [{}] }),
];
