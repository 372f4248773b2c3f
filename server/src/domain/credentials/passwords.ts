import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { badRequest, serviceUnavailable } from '@heddle/api/errors.ts';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import type { Organization } from '../../directory/organization.ts';
import { languageFor, type Translate } from '../../languages/language.ts';
import { weaknessOf } from '../texts/shared/password-strength.ts';

/** The allowed lengths of a new password, in characters. */
export const PASSWORD_LENGTH = { minimum: 8, maximum: 100 } as const;

/** OWASP's first choice for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The server did not make a stored hash with a higher cost, and computing it would block the process. */
const HIGHEST_COST: Cost = { memory: 1_048_576, passes: 16, parallelism: 16 };

/** A computation uses a core for some 20 ms, and other work needs the thread pool too. */
const MAX_CONCURRENT_HASHES = 2;
const MAX_WAITING_HASHES = 200;

interface Cost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

interface StoredHash {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const compute: (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer> = promisify(argon2);

/**
 * Whether this is the account's password. Takes equally long if there is no account, or it has no password (`stored` is
 * null or undefined).
 * @throws ApiError `SERVICE_UNAVAILABLE`: too many logins are in progress
 */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const expected = (stored == null ? undefined : parseHash(stored)) ?? NOBODYS;
  const hash = await derive(password, expected.salt, expected.cost, expected.hash.length);
  return timingSafeEqual(hash, expected.hash) && expected !== NOBODYS;
}

/** Compared with if there is no stored hash. */
const NOBODYS: StoredHash = { cost: COST, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };

const PHC = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,4}),p=(\d{1,4})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,171})$/;

function parseHash(stored: string): StoredHash | undefined {
  const [, memory, passes, parallelism, salt, hash] = PHC.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return undefined;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const isAffordable =
    cost.memory <= HIGHEST_COST.memory &&
    cost.passes <= HIGHEST_COST.passes &&
    cost.parallelism <= HIGHEST_COST.parallelism;
  return isAffordable ? { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') } : undefined;
}

const computations = new ConcurrencyLimiter({
  atOnce: MAX_CONCURRENT_HASHES,
  maxWaiting: MAX_WAITING_HASHES,
  refusal: () => serviceUnavailable('Too many logins at once; please try again'),
});

function derive(password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  // Strings that look the same have one normal form (RFC 8265).
  const message = password.normalize('NFC');
  return computations.run('all', () => compute('argon2id', { message, nonce, tagLength, ...cost }));
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** What other users know about a person. A password must not consist of it. */
export function knownOf(
  { directory }: Organization,
  { fullName, email }: { readonly fullName: string; readonly email: string },
): readonly string[] {
  return [fullName, email, directory.organization.name];
}

/**
 * The only rule for new passwords: their length, and that they are hard to guess. All code that sets a password calls
 * this.
 * @param known what others know about the person (`knownOf`)
 * @param t for the text on a page. Clients of the API expect English.
 * @returns why the password is refused; undefined if it is accepted
 */
export function passwordProblem(
  password: string,
  known: readonly string[],
  t: Translate = languageFor([]).t,
): string | undefined {
  const { length } = [...password];
  const { minimum, maximum } = PASSWORD_LENGTH;
  if (length < minimum) return t('The password must have at least {minimum} characters.', { minimum });
  if (length > maximum) return t('The password must have at most {maximum} characters', { maximum });
  const weakness = weaknessOf(password, known);
  return weakness === undefined ? undefined : t(weakness);
}

/**
 * The hash of a new password, to be stored.
 * @param known as for `passwordProblem`
 * @throws ApiError `BAD_REQUEST`: the rule refuses the password
 */
export async function checkedPasswordHash(password: string, known: readonly string[]): Promise<string> {
  const problem = passwordProblem(password, known);
  if (problem !== undefined) throw badRequest(problem);
  return hashOf(password);
}

/** The password's argon2id hash as a PHC string, which carries its own parameters and salt. */
async function hashOf(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST, HASH_BYTES);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}
