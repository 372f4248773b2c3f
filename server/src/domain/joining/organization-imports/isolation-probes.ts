import * as endpoints from '@heddle/api/endpoints/organization-import.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = () => [
  probesOf(endpoints.getImport, { contained: [{}] }),
  // The server has two organizations.
  probesOf(endpoints.startImport, { refused: [{ format: 'slack' }], harmless: ['name', 'email'] }),
  probesOf(endpoints.cancelImport, { contained: [{}] }),
  probesOf(endpoints.sendImportMails, { refused: [{}] }),
];
