import * as endpoints from '@heddle/api/endpoints/linkifiers.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  const texts = {
    pattern: `${secret('pattern')}(?P<id>[0-9]+)`,
    url_template: `https://example.com/${secret('url')}/{id}`,
  };
  const { id } = await owner.ok('POST', '/realm/filters', texts);
  const own = { pattern: 'x(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' };
  return [
    probesOf(endpoints.getLinkifiers, { contained: [{}] }),
    probesOf(endpoints.addLinkifier, { contained: [own] }),
    // Each organization counts its own ids. This id is higher than any of the attacker's.
    probesOf(endpoints.updateLinkifier, { refused: [{ filter_id: Number(id) + 1000, ...own }] }),
    probesOf(endpoints.removeLinkifier, { refused: [{ filter_id: Number(id) + 1000 }] }),
    probesOf(endpoints.reorderLinkifiers, { refused: [{ ordered_linkifier_ids: [Number(id) + 1000] }] }),
  ];
};
