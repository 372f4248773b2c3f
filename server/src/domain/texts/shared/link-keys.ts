/**
 * Links that give access to their holder. A link's key is derived from the server's secret and a nonce. So a list or a
 * retried mail can show the link again, and a copy of the database opens nothing. The hash of the key finds the row.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** The purpose of a link. A link is valid for its own purpose only. */
export type LinkPurpose =
  | 'invitation'
  | 'password reset'
  | 'change of address'
  | 'joining'
  | 'unsubscribing'
  | 'address of the mail gateway';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
/** Letters of five bits each. */
const KEY_LENGTH = 32;

export interface NewLink {
  readonly nonce: Buffer;
  readonly keyHash: Buffer;
}

/** A new link, to be stored. */
export function newLink(secret: Buffer, purpose: LinkPurpose): NewLink {
  const nonce = randomBytes(16);
  return { nonce, keyHash: hashOfKey(linkKey(secret, purpose, nonce)) };
}

/** The link's key: 160 bits as 32 letters and digits. */
export function linkKey(secret: Buffer, purpose: LinkPurpose, nonce: Buffer): string {
  const digest = createHmac('sha256', secret).update(`heddle: link for ${purpose}\n`).update(nonce).digest();
  let bits = '';
  for (const byte of digest) bits += byte.toString(2).padStart(8, '0');
  return Array.from(
    { length: KEY_LENGTH },
    (_, index) => LETTERS[parseInt(bits.slice(index * 5, index * 5 + 5), 2)],
  ).join('');
}

export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
