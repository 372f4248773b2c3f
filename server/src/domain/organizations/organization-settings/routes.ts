import { updateOrganization } from '@heddle/api/endpoints/organizations.ts';
import { checkCompatibility, getServerSettings } from '@heddle/api/endpoints/server.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { letsSpectatorsIn } from '../../../access/spectators.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { routeFor } from '../../../http/requests/route.ts';
import { isTooOld } from '../../../http/requests/user-agent.ts';
import { VERSION_FIELDS } from '../../../version.ts';
import { externalMethods } from '../../credentials/login-methods.ts';
import { pictureUrl } from '../organization-pictures/present.ts';
import { renderedDescription } from '../organizations/present.ts';
import { changeOrganization } from './changing.ts';

const routeAtRoot = routeFor<Organization | undefined, UserRecord>();

export function organizationRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    routeAtRoot(getServerSettings, { organization: 'optional' }, ({ organization, userAgent }) => ({
      authentication_methods: {
        ...OTHER_METHODS,
        password: true,
        email: true,
        dev: app.config.devLogin,
        ldap: app.config.ldapUrl !== null,
        'openid connect': app.config.oidcIssuer !== null,
      },
      external_authentication_methods: externalMethods(app.config),
      ...VERSION_FIELDS,
      push_notifications_enabled: app.config.pushUrl !== null,
      is_incompatible: isTooOld(userAgent),
      email_auth_enabled: true,
      require_email_format_usernames: app.config.ldapUrl === null,
      ...(organization !== undefined && organizationFields(app, organization)),
    })),

    routeAtRoot(checkCompatibility, { organization: 'optional' }, ({ userAgent }) => {
      if (userAgent === undefined) throw badRequest('User-Agent header missing from request');
      // Clients recognize this text.
      if (isTooOld(userAgent)) throw badRequest('Client is too old');
      return {};
    }),

    route(updateOrganization, {}, ({ parameters, organization, caller }) =>
      organization.transact(caller, 'exclusive', (change, user) =>
        changeOrganization(change, user, { parameters, config: app.config }),
      ),
    ),
  ];
}

/** Login methods that clients know and this server lacks. */
const OTHER_METHODS = {
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
};

function organizationFields({ address }: Pick<AppContext, 'address'>, { directory }: Organization) {
  const { organization } = directory;
  const url = address.of(organization.subdomain);
  return {
    realm_url: url,
    realm_uri: url,
    realm_name: organization.name,
    realm_icon: new URL(pictureUrl(directory, organization, 'icon'), url).href,
    realm_description: renderedDescription(organization, url),
    realm_web_public_access_enabled: letsSpectatorsIn(directory),
  };
}
