/** The ways to log in that the server has. All of them are open in every organization. */
import type { Config } from '../../config.ts';

type Methods = Pick<Config, 'devLogin' | 'ldapUrl' | 'oidcIssuer' | 'oidcName'>;

/** By the names that settings of organizations give them. */
export function loginMethods({ devLogin, ldapUrl, oidcIssuer }: Methods): readonly string[] {
  return [
    ...(devLogin ? ['Dev'] : []),
    'Email',
    ...(ldapUrl === null ? [] : ['LDAP']),
    ...(oidcIssuer === null ? [] : ['OpenID Connect']),
  ];
}

/** Those that another site does, as clients show them. */
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
