/**
 * What the user typed and the server does not have survives the end of a login. It stays in this browser encrypted, with a key that the server
 * gives only to a login of the same account.
 */
import { start } from './early.ts';

/** Bytes of the nonce of AES-GCM (NIST SP 800-38D, section 5.2.1.1). */
const NONCE_BYTES = 12;

export interface TypedTexts {
  /** Entries of the local storage. */
  readonly local: readonly (readonly [string, string])[];
  /** Entries of the store that are for the server, such as messages on their way. */
  readonly kept: readonly (readonly [string, unknown])[];
}

/** The tabs of an account seal one after the other. Begins with what `forgetLocal` does not delete. */
function entryOf(userId: number): string {
  return `heddle-sealed-${userId}`;
}

/** Whether this page can encrypt. Browsers allow it only with TLS, and for addresses of the own machine. */
export function canSeal(): boolean {
  return typeof start.textKey === 'string' && globalThis.crypto?.subtle !== undefined && navigator.locks !== undefined;
}

/** Adds the texts to those that other tabs have sealed. */
export async function sealTexts(userId: number, texts: TypedTexts): Promise<void> {
  if (texts.local.length === 0 && texts.kept.length === 0) return;
  await navigator.locks.request(entryOf(userId), async () => {
    const before = await readSealed(userId);
    const all = { local: [...(before?.local ?? []), ...texts.local], kept: [...(before?.kept ?? []), ...texts.kept] };
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const bytes = new TextEncoder().encode(JSON.stringify(all));
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await textKey(), bytes);
    localStorage.setItem(entryOf(userId), `${toHex(nonce)}.${toHex(new Uint8Array(sealed))}`);
  });
}

/** Returns what earlier pages of the account have sealed, and removes it. `take` stores it elsewhere before. */
export async function unsealTexts(userId: number, take: (texts: TypedTexts) => Promise<void>): Promise<void> {
  if (!canSeal() || localStorage.getItem(entryOf(userId)) === null) return;
  await navigator.locks.request(entryOf(userId), async () => {
    const texts = await readSealed(userId);
    if (texts !== undefined) await take(texts);
    localStorage.removeItem(entryOf(userId));
  });
}

/** Undefined if there is nothing, or nothing that this account can read. */
async function readSealed(userId: number): Promise<TypedTexts | undefined> {
  const [nonce, sealed] = (localStorage.getItem(entryOf(userId)) ?? '').split('.');
  if (nonce === undefined || sealed === undefined) return undefined;
  try {
    const algorithm = { name: 'AES-GCM', iv: fromHex(nonce) };
    const bytes = await crypto.subtle.decrypt(algorithm, await textKey(), fromHex(sealed));
    return JSON.parse(new TextDecoder().decode(bytes)) as TypedTexts;
  } catch {
    return undefined;
  }
}

function textKey(): Promise<CryptoKey> {
  const raw = fromHex(start.textKey ?? '');
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
