/** What is said to a device, so that only the device reads it (public reference: "Mobile notifications", `push_key`). */

/** The byte before a key for libsodium's crypto_secretbox_easy. */
const SECRET_BOX = 0x31;
const KEY_BYTES = 32;

/** The device's X25519 public key from its Base64; undefined where it is none. */
export function parsePublicKey(text: string): Buffer | undefined {
  const bytes = fromBase64(text);
  return bytes?.length === KEY_BYTES ? bytes : undefined;
}

/** A secret key with its cryptosystem's byte before it, from Base64; undefined where it is none that we know. */
export function parseSecretKey(text: string): Buffer | undefined {
  const bytes = fromBase64(text);
  return bytes?.length === 1 + KEY_BYTES && bytes[0] === SECRET_BOX ? bytes : undefined;
}

/**
 * @param key as one of the above
 * @returns Base64: a sealed box, or the nonce and a secret box
 */
export async function encryptFor(key: Buffer, text: string): Promise<string> {
  const sodium = await loadSodium();
  if (key.length === KEY_BYTES) return toBase64(sodium.crypto_box_seal(text, key));
  const nonce = sodium.randombytes_buf(sodium.crypto_secretbox_NONCEBYTES);
  const box = sodium.crypto_secretbox_easy(text, nonce, key.subarray(1));
  return Buffer.concat([nonce, box]).toString('base64');
}

/** Loaded with the first device: most servers never need it. */
async function loadSodium() {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  return sodium;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Strict: Buffer passes over what is no Base64. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
