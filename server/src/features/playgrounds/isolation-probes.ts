import * as endpoints from '@heddle/api/endpoints/playgrounds.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  const url_template = 'https://example.com/{code}';
  const { id } = await owner.ok('POST', '/realm/playgrounds', {
    ...{ name: secret('playground'), pygments_language: 'Python', url_template },
  });
  return [
    probesOf(endpoints.addPlayground, { contained: [{ name: 'own', pygments_language: 'Python', url_template }] }),
    // Each organization counts its own ids. This id is beyond the attacker's.
    probesOf(endpoints.removePlayground, { refused: [{ playground_id: Number(id) + 1000 }] }),
  ];
};
