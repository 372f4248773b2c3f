import { createHmac } from 'node:crypto';
import type { UserRecord } from '../../directory/records.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_LENGTH = 32;
/** A byte at or above this would make some characters likelier than others. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/**
 * The account's API key: 32 letters and digits. It is derived from the server's secret and stored nowhere, so a stolen database opens
 * nothing; raising the account's key version revokes it.
 */
export function apiKeyFor(secret: Buffer, organizationId: number, userId: number, keyVersion: number): string {
  return lettersFrom(
    secret,
    (block) => `API key ${block} of user ${userId} in organization ${organizationId}, version ${keyVersion}`,
  );
}

/** By which the service of an outgoing webhook bot knows this server: 32 letters and digits, for the bot's life; they open nothing here. */
export function serviceTokenFor(secret: Buffer, organizationId: number, botId: number): string {
  return lettersFrom(secret, (block) => `service token ${block} of bot ${botId} in organization ${organizationId}`);
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

/** Checks API keys. Each is derived once for a user's record, which is a new one when anything of the account changes. */
export class ApiKeys {
  readonly #secret: Buffer;
  readonly #derived = new WeakMap<UserRecord, string>();

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

  /** Whether it is the user's key; the answer takes equally long wherever the two differ. */
  isKeyOf(organizationId: number, user: UserRecord, key: string): boolean {
    const expected = this.of(organizationId, user);
    if (key.length !== expected.length) return false;
    // In JavaScript, since this runs for every request and a call into OpenSSL takes longer than all the rest of it.
    let difference = 0;
    for (let index = 0; index < expected.length; index += 1) {
      difference |= key.charCodeAt(index) ^ expected.charCodeAt(index);
    }
    return difference === 0;
  }
}
