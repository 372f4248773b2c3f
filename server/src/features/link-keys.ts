/**
 * Links that open something for whoever has them. What is in one is derived from the server's secret and a nonce, so that it can be told
 * again, in a list or in another attempt at a mail, and a stolen database opens nothing; its hash finds the row.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** What a link is for: one that is good for one thing is good for no other. */
export type LinkPurpose = 'invitation' | 'password reset' | 'change of address' | 'joining';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
/** Of five bits each. */
const KEY_LENGTH = 32;

export interface NewLink {
  readonly nonce: Buffer;
  readonly keyHash: Buffer;
}

/** A link that nobody has yet; to be stored. */
export function newLink(secret: Buffer, purpose: LinkPurpose): NewLink {
  const nonce = randomBytes(16);
  return { nonce, keyHash: hashOfKey(linkKey(secret, purpose, nonce)) };
}

/** The link's secret part: 160 bits as 32 letters and digits. */
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
