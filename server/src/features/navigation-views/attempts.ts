import * as endpoints from '@heddle/api/endpoints/navigation-views.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, secret }) => {
  const fragment = `narrow/${secret('view')}`;
  await owner.ok('POST', '/navigation_views', { fragment, is_pinned: true, name: secret('view') });
  await owner.ok('POST', '/navigation_views', { fragment: 'inbox', is_pinned: true });
  return [
    attemptsOn(endpoints.getNavigationViews, { contained: [{}] }),
    attemptsOn(endpoints.addNavigationView, {
      contained: [{ fragment: 'narrow/own', is_pinned: true, name: 'own' }],
    }),
    attemptsOn(endpoints.editNavigationView, {
      refused: [
        { fragment, is_pinned: false, name: 'x' },
        { fragment: 'inbox', is_pinned: false },
      ],
    }),
    attemptsOn(endpoints.removeNavigationView, { refused: [{ fragment }, { fragment: 'inbox' }] }),
  ];
};
