import * as endpoints from '@heddle/api/endpoints/linkifiers.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, secret }) => {
  const texts = {
    pattern: `${secret('pattern')}(?P<id>[0-9]+)`,
    url_template: `https://example.com/${secret('url')}/{id}`,
  };
  const { id } = await owner.ok('POST', '/realm/filters', texts);
  const own = { pattern: 'x(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' };
  return [
    attemptsOn(endpoints.getLinkifiers, { contained: [{}] }),
    attemptsOn(endpoints.addLinkifier, { contained: [own] }),
    // Each organization counts its own ids. This id is higher than any of the attacker's.
    attemptsOn(endpoints.updateLinkifier, { refused: [{ filter_id: Number(id) + 1000, ...own }] }),
    attemptsOn(endpoints.removeLinkifier, { refused: [{ filter_id: Number(id) + 1000 }] }),
    attemptsOn(endpoints.reorderLinkifiers, { refused: [{ ordered_linkifier_ids: [Number(id) + 1000] }] }),
  ];
};
