import * as endpoints from '@heddle/api/endpoints/navigation-views.ts';
import { readValue } from '../../db/prepared.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { addView, editView, removeView } from './actions.ts';
import { selectViews } from './queries.ts';

export function navigationViewRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.getNavigationViews, {}, async ({ organization, caller }) => ({
      navigation_views: await readValue(app.db, selectViews(organization.id, caller.id)),
    })),

    route(endpoints.addNavigationView, {}, async ({ parameters, organization, caller }) => {
      const view = { ...parameters, name: parameters.name ?? null };
      await organization.transact(caller, 'optimistic', (change, user) => addView(change, user, view));
      return {};
    }),

    route(endpoints.editNavigationView, {}, async ({ parameters, organization, caller }) => {
      const { fragment, is_pinned: isPinned, name } = parameters;
      const changes = { isPinned, name: name ?? undefined };
      await organization.transact(caller, 'optimistic', (change, user) => editView(change, user, fragment, changes));
      return {};
    }),

    route(endpoints.removeNavigationView, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'optimistic', (change, user) =>
        removeView(change, user, parameters.fragment),
      );
      return {};
    }),
  ];
}
