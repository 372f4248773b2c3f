import * as endpoints from '@heddle/api/endpoints/playgrounds.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, secret }) => {
  const url_template = 'https://example.com/{code}';
  const { id } = await owner.ok('POST', '/realm/playgrounds', {
    ...{ name: secret('playground'), pygments_language: 'Python', url_template },
  });
  return [
    attemptsOn(endpoints.addPlayground, { contained: [{ name: 'own', pygments_language: 'Python', url_template }] }),
    // Each organization counts its own ids. This id is beyond the attacker's.
    attemptsOn(endpoints.removePlayground, { refused: [{ playground_id: Number(id) + 1000 }] }),
  ];
};
