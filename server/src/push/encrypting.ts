/**
 * Encrypts notifications so that only the device can read them (public reference: "Mobile notifications", `push_key`).
 */

/** The byte before a key for libsodium's crypto_secretbox_easy. */
const SECRET_BOX_CODE = 0x31;
const KEY_BYTES = 32;

/** Parses the device's X25519 public key from Base64. Undefined if it is not one. */
export function parsePublicKey(text: string): Buffer | undefined {
  const bytes = fromBase64(text);
  return bytes?.length === KEY_BYTES ? bytes : undefined;
}

/** Parses a secret key with the byte of its cryptosystem before it, from Base64. Undefined if it is not a known one. */
export function parseSecretKey(text: string): Buffer | undefined {
  const bytes = fromBase64(text);
  return bytes?.length === 1 + KEY_BYTES && bytes[0] === SECRET_BOX_CODE ? bytes : undefined;
}

/**
 * @param key from one of the functions above
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

/** Strict, because Buffer ignores characters that are not Base64. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
