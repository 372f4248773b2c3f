/**
 * Logins with a directory (LDAP). The server searches for the person and tries the password there. It stores nothing of it. The address in
 * the directory identifies the account.
 */
import { serviceUnavailable } from '@heddle/api/errors.ts';
import type { Client } from 'ldapts';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import { timeoutOf } from '../../config/timeout-factor.ts';
import type { Config } from '../../config.ts';

/** A person whose address another system has verified. */
export interface KnownPerson {
  readonly email: string;
  readonly fullName: string;
}

/** Timeouts of the connection and of each response, in milliseconds. */
const CONNECT_TIMEOUT_MS = timeoutOf(2_000);
const RESPONSE_TIMEOUT_MS = timeoutOf(5_000);
/** Concurrent logins at the directory; others must retry. */
const MAX_CONCURRENT_LOGINS = 50;

const logins = new ConcurrencyLimiter({
  atOnce: MAX_CONCURRENT_LOGINS,
  maxWaiting: 0,
  refusal: () => serviceUnavailable('Too many logins at once; please try again'),
});

/** For people, who can do nothing about it. */
const UNAVAILABLE = 'The directory is not available; please try again';

/**
 * The person with this name and password in the directory; undefined if there is none. An unknown name takes as long as a wrong password.
 * @throws ApiError `SERVICE_UNAVAILABLE`: the directory does not respond, or rejects the server
 */
export async function personInDirectory(
  config: Config,
  { username, password }: NameAndPassword,
): Promise<KnownPerson | undefined> {
  const { ldapUrl: url, ldapBase: base } = config;
  // Directories treat a name without a password as an anonymous login, which succeeds.
  if (url === null || base === null || password === '' || username.trim() === '') return undefined;
  return logins.run('all', () => logIn(config, url, base, { username, password }));
}

async function logIn(config: Config, url: string, base: string, { username, password }: NameAndPassword) {
  const { Client, InvalidCredentialsError } = await import('ldapts');
  const client = new Client({ url, connectTimeout: CONNECT_TIMEOUT_MS, timeout: RESPONSE_TIMEOUT_MS });
  try {
    const found = await find(client, config, base, username.trim());
    try {
      await client.bind(found?.dn ?? `cn=nobody,${base}`, password);
    } catch (error) {
      if (error instanceof InvalidCredentialsError || found === undefined) return undefined;
      throw error;
    }
    return found?.person;
  } catch (error) {
    throw Object.assign(serviceUnavailable(UNAVAILABLE), { cause: error });
  } finally {
    await client.unbind().catch(() => undefined);
  }
}

interface Found {
  readonly dn: string;
  /** Undefined: the directory has no address of the person. */
  readonly person: KnownPerson | undefined;
}

/** Undefined if the directory has no such entry, or several. */
async function find(client: Client, config: Config, base: string, username: string): Promise<Found | undefined> {
  const { ldapBindDn, ldapBindPassword, ldapFilter, ldapEmailAttribute, ldapNameAttribute } = config;
  if (ldapBindDn !== null) await client.bind(ldapBindDn, ldapBindPassword ?? '');
  const { searchEntries } = await client.search(base, {
    scope: 'sub',
    filter: ldapFilter.replaceAll('{username}', () => escapedForFilter(username)),
    attributes: [ldapEmailAttribute, ldapNameAttribute],
    // Two entries are enough to see that the name is ambiguous.
    sizeLimit: 2,
    timeLimit: RESPONSE_TIMEOUT_MS / 1000,
  });
  const [entry, other] = searchEntries;
  if (entry === undefined || other !== undefined) return undefined;
  const email = firstText(entry[ldapEmailAttribute]);
  const fullName = firstText(entry[ldapNameAttribute]) ?? username;
  return { dn: entry.dn, person: email === undefined ? undefined : { email, fullName } };
}

/** Escapes the special characters of filters, as RFC 4515 says. */
function escapedForFilter(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\\*()\u0000]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = Buffer.isBuffer(first) ? first.toString() : first;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

export interface NameAndPassword {
  readonly username: string;
  readonly password: string;
  /** Of the link of a person who may have no account yet. */
  readonly invitationKey?: string | undefined;
  /** The languages that the browser prefers, for a new account. */
  readonly languages?: readonly string[];
}
