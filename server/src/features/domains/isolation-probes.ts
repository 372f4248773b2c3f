import * as endpoints from '@heddle/api/endpoints/domains.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  const name = secret('domain')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  const domain = `${name}.example.com`;
  await owner.ok('POST', '/realm/domains', { domain, allow_subdomains: false });
  return [
    probesOf(endpoints.getDomains, { contained: [{}] }),
    probesOf(endpoints.addDomain, { contained: [{ domain: 'other.example.com', allow_subdomains: true }] }),
    probesOf(endpoints.changeDomain, { refused: [{ domain, allow_subdomains: true }] }),
    probesOf(endpoints.removeDomain, { refused: [{ domain }] }),
  ];
};
