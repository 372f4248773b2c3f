import { createHmac, randomBytes } from 'node:crypto';
import { link, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureDataDirectory } from '@heddle/embedded-postgres/lock.ts';
import type { Logger } from 'pino';
import type { Db } from './db/schema.ts';
import { firstFact } from './db/server-facts.ts';

const secretBytes = 32;
/** The key in `server_facts`. */
const FINGERPRINT = 'secret_fingerprint';

/** The server's secret cannot be used. The message is for the operator. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/**
 * Loads the server's secret, from which API keys are derived: 32 random bytes in `<data directory>/secret`, as hex.
 * Creates it on first use. If several processes create it at once, all use the same one.
 * @throws SecretError if the file has other content, or the path is not a directory
 */
export async function loadSecret(dataDirectory: string, log: Logger): Promise<Buffer> {
  const path = join(dataDirectory, 'secret');
  const text = (await readIfPresent(path)) ?? (await createSecret(path, randomBytes(secretBytes).toString('hex')));
  const secret = parseSecret(text, path);
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) log.warn({ path }, 'other users can read the server secret: set its mode to 0600');
  return secret;
}

/**
 * The secret of a data directory; undefined if it has none.
 * @throws SecretError if the file has other content
 */
export async function readSecret(dataDirectory: string): Promise<Buffer | undefined> {
  const path = join(dataDirectory, 'secret');
  const text = await readIfPresent(path);
  return text === undefined ? undefined : parseSecret(text, path);
}

function parseSecret(text: string, path: string): Buffer {
  if (!new RegExp(`^[0-9a-f]{${secretBytes * 2}}$`).test(text.trim())) {
    throw new SecretError(
      `${path} does not contain a secret of ${secretBytes * 2} hexadecimal digits. Restore it from a backup. ` +
        'If you remove the file, the server creates a new secret, which a database with another secret refuses.',
    );
  }
  return Buffer.from(text.trim(), 'hex');
}

/**
 * Checks that the API keys in the database were derived from this secret. The first secret stores its fingerprint in
 * the database, which refuses any other from then on.
 * @throws SecretError for another secret
 */
export async function confirmSecret(db: Db, secret: Buffer): Promise<void> {
  checkFingerprint(secret, await firstFact(db, FINGERPRINT, fingerprintOf(secret)));
}

/** Compares a secret with the database, and changes nothing. `new`: the database has seen none. */
export async function compareSecret(
  db: Db,
  secret: Buffer | undefined,
): Promise<'new' | 'equal' | 'different' | 'missing'> {
  const known = await db.selectFrom('server_facts').select('value').where('key', '=', FINGERPRINT).executeTakeFirst();
  if (known === undefined) return 'new';
  if (secret === undefined) return 'missing';
  return known.value === fingerprintOf(secret) ? 'equal' : 'different';
}

/**
 * @param known the fingerprint in the database; null if it has none yet
 * @throws SecretError for another secret
 */
export function checkFingerprint(secret: Buffer, known: string | null): void {
  if (known === null || known === fingerprintOf(secret)) return;
  throw new SecretError(
    'This database was used with another server secret, so its API keys would not work. Copy the file `secret` from the ' +
      'data directory (HEDDLE_DATA_DIR) of the server that used it before, or of the other servers that share it.',
  );
}

function fingerprintOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('heddle: fingerprint of the server secret').digest('hex');
}

/**
 * Stores a secret in a data directory that has none.
 * @throws SecretError if the directory has another secret
 */
export async function storeSecret(dataDirectory: string, secret: string): Promise<void> {
  const path = join(dataDirectory, 'secret');
  if ((await readIfPresent(path)) === undefined) await createSecret(path, secret);
  if ((await readFile(path, 'utf8')).trim() === secret.trim()) return;
  throw new SecretError(`${dataDirectory} already contains another secret, so it belongs to another server.`);
}

/** Derives a key for one purpose. A leaked key reveals neither the secret nor other keys. */
export function keyFor(secret: Buffer, purpose: string): Buffer {
  return createHmac('sha256', secret).update(`heddle: key for ${purpose}`).digest();
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

// Writes the complete file under another name and then links it. So no process reads half a secret, and the link fails
// if another process was first.
async function createSecret(path: string, secret: string): Promise<string> {
  ensureDataDirectory(dirname(path));
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${secret.trim()}\n`);
    await file.sync();
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await file.close();
    await rm(draft);
  }
  await syncDirectory(join(path, '..'));
  return readFile(path, 'utf8');
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
