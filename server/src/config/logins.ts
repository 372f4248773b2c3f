/** Settings of the ways to log in that are another system's: a directory, single sign-on, signed tokens. */
import { createPublicKey } from 'node:crypto';
import type { SettingsOf } from './setting.ts';

export interface LoginConfig {
  /** null: there is no directory. */
  readonly ldapUrl: string | null;
  /** Where people are in it. */
  readonly ldapBase: string | null;
  /** Whom the server is to it; null: nobody. */
  readonly ldapBindDn: string | null;
  readonly ldapBindPassword: string | null;
  /** Finds a person; `{username}` is what they typed. */
  readonly ldapFilter: string;
  readonly ldapEmailAttribute: string;
  readonly ldapNameAttribute: string;
  /** null: there is no single sign-on. */
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcClientSecret: string | null;
  /** What people call it. */
  readonly oidcName: string;
  /** A secret, or a public key in PEM. null: no tokens are taken. */
  readonly jwtKey: string | null;
  readonly jwtAlgorithms: readonly string[];
  /** The organization that they are for; null is the one at the root domain. */
  readonly jwtSubdomain: string | null;
}

const anyText = (text: string) => text;
const attribute = (text: string) => (/^[a-z][a-z0-9-]{0,100}$/i.test(text) ? text : undefined);

export const LOGIN_SETTINGS: SettingsOf<LoginConfig> = {
  ldapUrl: {
    variable: 'HEDDLE_LDAP_URL',
    default: null,
    defaultInWords: 'no directory',
    accepted: 'a URL like ldaps://directory.example.com',
    parse: (text) => (/^ldaps?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined),
  },
  ldapBase: {
    variable: 'HEDDLE_LDAP_BASE',
    default: null,
    defaultInWords: 'none, and HEDDLE_LDAP_URL needs one',
    accepted: 'a distinguished name like ou=people,dc=example,dc=com',
    parse: (text) => (text.includes('=') ? text : undefined),
  },
  ldapBindDn: {
    variable: 'HEDDLE_LDAP_BIND_DN',
    default: null,
    defaultInWords: 'nobody',
    accepted: 'a distinguished name like cn=heddle,dc=example,dc=com',
    parse: (text) => (text.includes('=') ? text : undefined),
  },
  ldapBindPassword: {
    variable: 'HEDDLE_LDAP_BIND_PASSWORD',
    default: null,
    defaultInWords: 'none, and HEDDLE_LDAP_BIND_DN needs one',
    accepted: 'a password',
    isSecret: true,
    parse: anyText,
  },
  ldapFilter: {
    variable: 'HEDDLE_LDAP_FILTER',
    default: '(uid={username})',
    accepted: 'a filter with {username} in it, like (|(uid={username})(mail={username}))',
    parse: (text) => (/^\(.*\{username\}.*\)$/.test(text) ? text : undefined),
  },
  ldapEmailAttribute: {
    variable: 'HEDDLE_LDAP_EMAIL_ATTRIBUTE',
    default: 'mail',
    accepted: "an attribute's name",
    parse: attribute,
  },
  ldapNameAttribute: {
    variable: 'HEDDLE_LDAP_NAME_ATTRIBUTE',
    default: 'cn',
    accepted: "an attribute's name",
    parse: attribute,
  },
  oidcIssuer: {
    variable: 'HEDDLE_OIDC_ISSUER',
    default: null,
    defaultInWords: 'no single sign-on',
    accepted: 'a URL like https://login.example.com; by plain HTTP only on this machine',
    parse: (text) => (isIssuer(URL.parse(text)) ? text : undefined),
  },
  oidcClientId: {
    variable: 'HEDDLE_OIDC_CLIENT_ID',
    default: null,
    defaultInWords: 'none, and HEDDLE_OIDC_ISSUER needs one',
    accepted: 'what the provider calls this server',
    parse: anyText,
  },
  oidcClientSecret: {
    variable: 'HEDDLE_OIDC_CLIENT_SECRET',
    default: null,
    defaultInWords: 'none, and HEDDLE_OIDC_ISSUER needs one',
    accepted: 'the secret that the provider gave this server',
    isSecret: true,
    parse: anyText,
  },
  oidcName: {
    variable: 'HEDDLE_OIDC_NAME',
    default: 'OpenID Connect',
    accepted: 'a name of at most 100 characters',
    parse: (text) => (text.trim() !== '' && text.length <= 100 ? text.trim() : undefined),
  },
  jwtKey: {
    variable: 'HEDDLE_JWT_KEY',
    default: null,
    defaultInWords: 'no tokens are taken',
    accepted: 'a secret of 32 characters or more, or a public key in PEM',
    isSecret: true,
    parse: (text) => (isPublicKey(text) || (text.length >= 32 && !text.includes('-----BEGIN')) ? text : undefined),
  },
  jwtAlgorithms: {
    variable: 'HEDDLE_JWT_ALGORITHMS',
    default: 'HS256',
    accepted: 'a comma-separated list like HS256 or RS256,ES256: of secrets (HS…) or of public keys, not both',
    parse: parseAlgorithms,
  },
  jwtSubdomain: {
    variable: 'HEDDLE_JWT_SUBDOMAIN',
    default: null,
    defaultInWords: 'the root domain',
    accepted: 'the subdomain of an organization',
    parse: (text) => (/^[a-z0-9-]{1,63}$/.test(text) ? text : undefined),
  },
};

const OF_SECRETS = ['HS256', 'HS384', 'HS512'];
const OF_PUBLIC_KEYS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Whether the algorithms are for secrets that both sides have. */
export function areOfSecrets(algorithms: readonly string[]): boolean {
  return algorithms.every((name) => OF_SECRETS.includes(name));
}

/** Were both kinds taken, a public key could be used as the secret. */
function parseAlgorithms(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return areOfSecrets(names) || names.every((name) => OF_PUBLIC_KEYS.includes(name)) ? names : undefined;
}

function isPublicKey(text: string): boolean {
  if (!text.includes('-----BEGIN PUBLIC KEY-----')) return false;
  try {
    createPublicKey(text);
    return true;
  } catch {
    return false;
  }
}

function isIssuer(url: URL | null): boolean {
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

/** What is wrong with settings that go together, a line each. */
export function problemsWith(config: LoginConfig): readonly string[] {
  const needs = (given: unknown, needed: unknown, variable: string, by: string) =>
    given !== null && needed === null ? [`${variable} is not set, and ${by} needs it`] : [];
  const { variable: ldapUrl } = LOGIN_SETTINGS.ldapUrl;
  const { variable: issuer } = LOGIN_SETTINGS.oidcIssuer;
  const isSecret = config.jwtKey !== null && !config.jwtKey.includes('-----BEGIN');
  const fits = config.jwtKey === null || isSecret === areOfSecrets(config.jwtAlgorithms);
  return [
    ...needs(config.ldapUrl, config.ldapBase, LOGIN_SETTINGS.ldapBase.variable, ldapUrl),
    ...needs(
      config.ldapBindDn,
      config.ldapBindPassword,
      LOGIN_SETTINGS.ldapBindPassword.variable,
      'HEDDLE_LDAP_BIND_DN',
    ),
    ...needs(config.oidcIssuer, config.oidcClientId, LOGIN_SETTINGS.oidcClientId.variable, issuer),
    ...needs(config.oidcIssuer, config.oidcClientSecret, LOGIN_SETTINGS.oidcClientSecret.variable, issuer),
    ...(fits ? [] : ['HEDDLE_JWT_ALGORITHMS does not go with HEDDLE_JWT_KEY: HS… takes a secret, others a public key']),
  ];
}
