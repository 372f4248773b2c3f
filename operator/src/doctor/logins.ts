/** The services of logins: the directory (LDAP) and single sign-on. Each check does what a login does. */
import { randomUUID } from 'node:crypto';
import type { Config } from '@heddle/server/config.ts';
import { personInDirectory } from '@heddle/server/features/authentication/directory-login.ts';
import { Provider } from '@heddle/server/features/authentication/provider.ts';
import { type DoctorCheck, failed, ok, reasonOf } from './check.ts';

/** Only those that are set up. */
export function loginChecks(config: Config): readonly DoctorCheck[] {
  const { ldapUrl, oidcIssuer } = config;
  return [
    ...(ldapUrl === null ? [] : [{ name: 'ldap', run: () => checkDirectory(config, new URL(ldapUrl).host) }]),
    ...(oidcIssuer === null ? [] : [{ name: 'oidc', run: () => checkProvider(config, oidcIssuer) }]),
  ];
}

async function checkDirectory(config: Config, host: string) {
  try {
    // A person that the directory does not have. So it only searches.
    await personInDirectory(config, { username: randomUUID(), password: randomUUID() });
  } catch (error) {
    const advice = 'Check HEDDLE_LDAP_URL, HEDDLE_LDAP_BASE, HEDDLE_LDAP_BIND_DN and HEDDLE_LDAP_BIND_PASSWORD.';
    return failed(`the directory ${host} cannot be used: ${causeOf(error)}`, advice);
  }
  return ok(`the directory ${host} lets this server search`);
}

async function checkProvider(config: Config, issuer: string) {
  try {
    await new Provider(config).begin(new URL('/complete/oidc/', config.url ?? 'http://localhost').href);
  } catch (error) {
    const advice = 'Check HEDDLE_OIDC_ISSUER, and that this machine reaches it.';
    return failed(`single sign-on at ${issuer} cannot be used: ${causeOf(error)}`, advice);
  }
  return ok(`${issuer} describes itself; only a login shows whether it knows this server`);
}

/** The errors of logins are for people. Their cause is for operators. */
function causeOf(error: unknown): string {
  return reasonOf(error instanceof Error ? (error.cause ?? error) : error);
}
