import { createHmac, hash } from 'node:crypto';
import type { UserRecord } from '../../directory/records.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_LENGTH = 32;
/** Bytes from here on are skipped: they would make some characters more likely than others. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/**
 * The account's API key: 32 letters and digits. It is derived from the server's secret and not stored, so a copy of the
 * database does not reveal it. A higher key version revokes it.
 */
export function apiKeyFor(secret: Buffer, organizationId: number, userId: number, keyVersion: number): string {
  return lettersFrom(
    secret,
    (block) => `API key ${block} of user ${userId} in organization ${organizationId}, version ${keyVersion}`,
  );
}

/**
 * The token by which the service of an outgoing webhook bot recognizes this server: 32 letters and digits. It gives no
 * access here. A bot with a new owner gets the next version. Version 0 is older than the others, so its name has no
 * number.
 */
export function serviceTokenFor(secret: Buffer, organizationId: number, botId: number, version: number): string {
  const suffix = version === 0 ? '' : `, version ${version}`;
  return lettersFrom(
    secret,
    (block) => `service token ${block} of bot ${botId} in organization ${organizationId}${suffix}`,
  );
}

function lettersFrom(secret: Buffer, nameOf: (block: number) => string): string {
  let letters = '';
  for (let block = 0; letters.length < KEY_LENGTH; block += 1) {
    const digest = createHmac('sha256', secret)
      .update(`heddle: ${nameOf(block)}`)
      .digest();
    for (const byte of digest) if (byte < UNBIASED) letters += ALPHABET[byte % ALPHABET.length];
  }
  return letters.slice(0, KEY_LENGTH);
}

/** Whether the text can be a key at all. */
export function hasFormOfKey(text: string): boolean {
  return text.length === KEY_LENGTH && /^[A-Za-z0-9]*$/.test(text);
}

/** Checks API keys. Derives the key once per user record. Any change of an account makes a new record. */
export class ApiKeys {
  readonly #secret: Buffer;
  readonly #derived = new WeakMap<UserRecord, string>();
  readonly #hashes = new WeakMap<UserRecord, string>();

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  of(organizationId: number, user: UserRecord): string {
    let key = this.#derived.get(user);
    if (key === undefined) {
      key = apiKeyFor(this.#secret, organizationId, user.id, user.apiKeyVersion);
      this.#derived.set(user, key);
    }
    return key;
  }

  /** SHA-256 of the key, in hexadecimal. */
  hashOf(organizationId: number, user: UserRecord): string {
    let found = this.#hashes.get(user);
    if (found === undefined) {
      found = hash('sha256', this.of(organizationId, user));
      this.#hashes.set(user, found);
    }
    return found;
  }

  /** Whether this is the user's key. Takes equally long wherever the two differ. */
  isKeyOf(organizationId: number, user: UserRecord, key: string): boolean {
    const expected = this.of(organizationId, user);
    if (key.length !== expected.length) return false;
    // In JavaScript: this runs for every request, and a call into OpenSSL costs more than the rest.
    let difference = 0;
    for (let index = 0; index < expected.length; index += 1) {
      difference |= key.charCodeAt(index) ^ expected.charCodeAt(index);
    }
    return difference === 0;
  }
}
