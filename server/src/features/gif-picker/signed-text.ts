/** The server signs what clients get and send back, so that they cannot invent it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** @param meaning what the text is and for whom. A text that was signed with another meaning is refused. */
export function signedText(secret: Buffer, meaning: string, text: string): string {
  const encoded = Buffer.from(text).toString('base64url');
  return `${encoded}.${signatureOf(secret, meaning, encoded).toString('base64url')}`;
}

/** The text that this server has signed with the meaning; undefined for anything else. */
export function openSignedText(secret: Buffer, meaning: string, given: string): string | undefined {
  const [encoded = '', signature = ''] = given.split('.');
  const expected = signatureOf(secret, meaning, encoded);
  const sent = Buffer.from(signature, 'base64url');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
  return Buffer.from(encoded, 'base64url').toString();
}

function signatureOf(secret: Buffer, meaning: string, encoded: string): Buffer {
  return createHmac('sha256', secret).update(`heddle: ${meaning}\n${encoded}`).digest();
}
