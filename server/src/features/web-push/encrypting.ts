/** Encrypts what only one browser can read (RFC 8291, with the content encoding `aes128gcm` of RFC 8188). */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

const CURVE = 'prime256v1';
const UNCOMPRESSED_POINT_BYTES = 65;
const AUTH_SECRET_BYTES = 16;
const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const SHARED_KEY_BYTES = 32;
/** A push service must accept this much. The body is one record. */
const RECORD_SIZE_BYTES = 4096;
/** After the text: this is the last record (RFC 8188). */
const LAST_RECORD = Buffer.of(2);

/** What a browser's `PushSubscription` says about its keys. */
export interface BrowserKeys {
  /** `p256dh`: an uncompressed point of P-256. */
  readonly publicKey: Buffer;
  /** `auth`. */
  readonly authSecret: Buffer;
}

/** Parses the public key of a browser from Base64 for URLs. Undefined if it is no point of the curve. */
export function parseBrowserKey(text: string): Buffer | undefined {
  const bytes = fromBase64Url(text);
  if (bytes?.length !== UNCOMPRESSED_POINT_BYTES) return undefined;
  const own = createECDH(CURVE);
  own.generateKeys();
  try {
    own.computeSecret(bytes);
    return bytes;
  } catch {
    return undefined;
  }
}

/** Parses the secret of a browser from Base64 for URLs. */
export function parseAuthSecret(text: string): Buffer | undefined {
  const bytes = fromBase64Url(text);
  return bytes?.length === AUTH_SECRET_BYTES ? bytes : undefined;
}

/**
 * The body of the request to the push service.
 * @param text at most `MAX_WEB_PUSH_PAYLOAD_BYTES`
 * @param given the random values of the test vectors; by default new ones
 */
export function encryptFor(
  { publicKey, authSecret }: BrowserKeys,
  text: Buffer,
  given: { readonly salt?: Buffer; readonly privateKey?: Buffer } = {},
): Buffer {
  const own = createECDH(CURVE);
  if (given.privateKey === undefined) own.generateKeys();
  else own.setPrivateKey(given.privateKey);
  const ownPublicKey = own.getPublicKey();
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, ownPublicKey]);
  const shared = derive(own.computeSecret(publicKey), authSecret, about, SHARED_KEY_BYTES);
  const { salt = randomBytes(SALT_BYTES) } = given;
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES);
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()]);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_SIZE_BYTES);
  sizes.writeUInt8(UNCOMPRESSED_POINT_BYTES, 4);
  return Buffer.concat([salt, sizes, ownPublicKey, sealed]);
}

function derive(key: Buffer, salt: Buffer, about: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, about, bytes));
}

/** Strict, because Buffer ignores characters that are not Base64. */
function fromBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text.replace(/=+$/, '') ? bytes : undefined;
}
