import * as endpoints from '@heddle/api/endpoints/playgrounds.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

export const playgroundAttempts: Attempts = async ({ owner, secret }) => {
  const url_template = 'https://example.com/{code}';
  const { id } = await owner.ok('POST', '/realm/playgrounds', {
    ...{ name: secret('playground'), pygments_language: 'Python', url_template },
  });
  return [
    attemptsOn(endpoints.addPlayground, { contained: [{ name: 'own', pygments_language: 'Python', url_template }] }),
    // Ids are counted by each organization for itself: this one is beyond the attacker's.
    attemptsOn(endpoints.removePlayground, { refused: [{ playground_id: Number(id) + 1000 }] }),
  ];
};
