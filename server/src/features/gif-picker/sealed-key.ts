/** The key of a service in the database: encrypted, so that a copy of the database alone does not contain it. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export function sealKey(secret: Buffer, organizationId: number, key: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, sealingKey(secret), nonce);
  cipher.setAAD(Buffer.from(String(organizationId)));
  const sealed = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The key; undefined if it was sealed with another secret or for another organization. */
export function openKey(secret: Buffer, organizationId: number, sealed: Buffer): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, sealingKey(secret), sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(String(organizationId)));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const key = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return key.toString();
  } catch {
    return undefined;
  }
}

function sealingKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'heddle: keys of services of GIFs', KEY_BYTES));
}
