import { getHomePage } from '@heddle/api/endpoints/home.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { whoIsLoggedIn } from '../../domain/credentials/sessions.ts';
import type { AppContext, HeddleRoute } from '../../extension/app-context.ts';
import { routeFor } from '../../http/route.ts';
import { homePage, nobodysPage } from './pages.ts';

const routeAtRoot = routeFor<Organization | undefined, UserRecord>();

/** The page at the organization's address. */
export function homeRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    routeAtRoot(getHomePage, { organization: 'optional' }, async ({ organization, cookies }) => {
      if (organization === undefined) return nobodysPage();
      const user = await whoIsLoggedIn(app, { organization, cookies });
      const url = app.address.of(organization.directory.organization.subdomain);
      return homePage(organization, { url, user });
    }),
  ];
}
