/**
 * Who logs in by a directory (LDAP): the server looks the person up, and tries their password there. Nothing of it is kept here; whose the
 * account is follows from the address that the directory has.
 */
import { serviceUnavailable } from '@heddle/api/errors.ts';
import type { Client } from 'ldapts';
import type { LoginConfig } from '../../config/logins.ts';
import type { NameAndPassword } from './password-login.ts';

/** A person of another system, whose address that system vouches for. */
export interface KnownPerson {
  readonly email: string;
  readonly fullName: string;
}

/** To connect, and for each answer, in milliseconds. */
const CONNECT_WITHIN = 2_000;
const ANSWER_WITHIN = 5_000;
/** Logins at the directory at once; others are told to try again. */
const AT_ONCE = 50;

let running = 0;

/** The words for people who can do nothing about it. */
const UNAVAILABLE = 'The directory is not available; please try again';

/**
 * The person whom the name and the password open in the directory; undefined where there is none. An unknown name costs the directory as
 * much as a wrong password.
 * @throws ApiError `SERVICE_UNAVAILABLE`: it does not answer, or does not let the server in
 */
export async function personInDirectory(
  config: LoginConfig,
  { username, password }: NameAndPassword,
): Promise<KnownPerson | undefined> {
  const { ldapUrl: url, ldapBase: base } = config;
  // Directories take a name without a password for nobody, and let nobody in.
  if (url === null || base === null || password === '' || username.trim() === '') return undefined;
  if (running >= AT_ONCE) throw serviceUnavailable('Too many logins at once; please try again');
  running += 1;
  const { Client, InvalidCredentialsError } = await import('ldapts');
  const client = new Client({ url, connectTimeout: CONNECT_WITHIN, timeout: ANSWER_WITHIN });
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
    running -= 1;
    await client.unbind().catch(() => undefined);
  }
}

interface Found {
  readonly dn: string;
  /** undefined: the directory has no address of theirs. */
  readonly person: KnownPerson | undefined;
}

/** undefined where there is nobody, or several, of whom none can be meant. */
async function find(client: Client, config: LoginConfig, base: string, username: string): Promise<Found | undefined> {
  const { ldapBindDn, ldapBindPassword, ldapFilter, ldapEmailAttribute, ldapNameAttribute } = config;
  if (ldapBindDn !== null) await client.bind(ldapBindDn, ldapBindPassword ?? '');
  const { searchEntries } = await client.search(base, {
    scope: 'sub',
    filter: ldapFilter.replaceAll('{username}', () => escapedForFilter(username)),
    attributes: [ldapEmailAttribute, ldapNameAttribute],
    // Two show that there is not one.
    sizeLimit: 2,
    timeLimit: ANSWER_WITHIN / 1000,
  });
  const [entry, other] = searchEntries;
  if (entry === undefined || other !== undefined) return undefined;
  const email = firstText(entry[ldapEmailAttribute]);
  const fullName = firstText(entry[ldapNameAttribute]) ?? username;
  return { dn: entry.dn, person: email === undefined ? undefined : { email, fullName } };
}

/** What has a meaning in filters, and all bytes that are no text, as RFC 4515 writes them. */
function escapedForFilter(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\\*()\u0000]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = Buffer.isBuffer(first) ? first.toString() : first;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
