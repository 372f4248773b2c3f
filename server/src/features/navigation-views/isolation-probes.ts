import * as endpoints from '@heddle/api/endpoints/navigation-views.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  const fragment = `narrow/${secret('view')}`;
  await owner.ok('POST', '/navigation_views', { fragment, is_pinned: true, name: secret('view') });
  await owner.ok('POST', '/navigation_views', { fragment: 'inbox', is_pinned: true });
  return [
    probesOf(endpoints.getNavigationViews, { contained: [{}] }),
    probesOf(endpoints.addNavigationView, {
      contained: [{ fragment: 'narrow/own', is_pinned: true, name: 'own' }],
    }),
    probesOf(endpoints.editNavigationView, {
      refused: [
        { fragment, is_pinned: false, name: 'x' },
        { fragment: 'inbox', is_pinned: false },
      ],
    }),
    probesOf(endpoints.removeNavigationView, { refused: [{ fragment }, { fragment: 'inbox' }] }),
  ];
};
