/** The login methods of the server. Each organization has all of them. */
import type { Config } from '../../config.ts';

type Methods = Pick<Config, 'devLogin' | 'ldapUrl' | 'oidcIssuer' | 'oidcName'>;

/** With the names from the organization settings. */
export function loginMethods({ devLogin, ldapUrl, oidcIssuer }: Methods): readonly string[] {
  return [
    ...(devLogin ? ['Dev'] : []),
    'Email',
    ...(ldapUrl === null ? [] : ['LDAP']),
    ...(oidcIssuer === null ? [] : ['OpenID Connect']),
  ];
}

/** The methods of other sites, as clients show them. */
export function externalMethods({ oidcIssuer, oidcName }: Methods) {
  if (oidcIssuer === null) return [];
  return [
    {
      name: 'oidc:provider',
      display_name: oidcName,
      display_icon: null,
      login_url: '/accounts/login/social/oidc',
      signup_url: '/accounts/register/social/oidc',
    },
  ];
}
