import * as endpoints from '@heddle/api/endpoints/domains.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, secret }) => {
  const name = secret('domain')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  const domain = `${name}.example.com`;
  await owner.ok('POST', '/realm/domains', { domain, allow_subdomains: false });
  return [
    attemptsOn(endpoints.getDomains, { contained: [{}] }),
    attemptsOn(endpoints.addDomain, { contained: [{ domain: 'other.example.com', allow_subdomains: true }] }),
    attemptsOn(endpoints.changeDomain, { refused: [{ domain, allow_subdomains: true }] }),
    attemptsOn(endpoints.removeDomain, { refused: [{ domain }] }),
  ];
};
