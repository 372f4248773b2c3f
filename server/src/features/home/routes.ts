import { getHomePage } from '@heddle/api/endpoints/home.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { routeFor } from '../../http/route.ts';
import { whoIsLoggedIn } from '../authentication/actions.ts';
import type { HeddleRoute, Rooms } from '../rooms.ts';
import { homePage, nobodysPage } from './pages.ts';

const routeAtRoot = routeFor<Organization | undefined, UserRecord>();

/** What people see who open the organization's address. */
export function homeRoutes(rooms: Rooms): readonly HeddleRoute[] {
  return [
    routeAtRoot(getHomePage, { organization: 'optional' }, async ({ organization, cookies }) => {
      if (organization === undefined) return nobodysPage();
      const user = await whoIsLoggedIn(rooms, { organization, cookies });
      const url = rooms.address.of(organization.directory.organization.subdomain);
      return homePage(organization, { url, user });
    }),
  ];
}
