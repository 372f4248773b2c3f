import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Db } from './db/schema.ts';

const secretBytes = 32;

/** The server's secret cannot be used. The message tells an operator what to do. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/**
 * The server's secret, from which API keys are derived: 32 random bytes in `<data directory>/secret`, as hex. Made on
 * first use; of processes that make it at once, one wins and all use its secret.
 * @throws SecretError if the file holds something else, or the directory is none
 */
export async function loadSecret(dataDirectory: string, log: Logger): Promise<Buffer> {
  await mkdir(dataDirectory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' && error.code !== 'ENOTDIR') throw error;
    throw new SecretError(
      `The data directory ${dataDirectory} is a file, or is below one. Set HEDDLE_DATA_DIR to a directory.`,
    );
  });
  const path = join(dataDirectory, 'secret');
  const text = (await readIfPresent(path)) ?? (await createSecret(path));
  if (!new RegExp(`^[0-9a-f]{${secretBytes * 2}}$`).test(text.trim())) {
    throw new SecretError(
      `${path} does not hold a secret of ${secretBytes * 2} hexadecimal digits. Restore it from a backup. ` +
        'Without it (remove the file) a new one is made, which the database refuses once it knows the old one.',
    );
  }
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) log.warn({ path }, 'others than the owner can read the server secret; chmod it to 0600');
  return Buffer.from(text.trim(), 'hex');
}

/**
 * Makes sure that the secret is the one that the database's API keys were derived from: the first secret that a database
 * meets leaves its fingerprint, and any other is refused from then on.
 * @throws SecretError on another secret
 */
export async function confirmSecret(db: Db, secret: Buffer): Promise<void> {
  const key = 'secret_fingerprint';
  const value = createHmac('sha256', secret).update('heddle: fingerprint of the server secret').digest('hex');
  await db
    .insertInto('server_facts')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const known = await db.selectFrom('server_facts').select('value').where('key', '=', key).executeTakeFirstOrThrow();
  if (known.value === value) return;
  throw new SecretError(
    'This database was used with another server secret, so its API keys would not work. Copy the file `secret` from the ' +
      'data directory (HEDDLE_DATA_DIR) of the server that used it before, or of the other servers that share it.',
  );
}

/** A key of its own for a purpose: whoever learns it learns nothing of the secret or of other keys. */
export function keyFor(secret: Buffer, purpose: string): Buffer {
  return createHmac('sha256', secret).update(`heddle: key for ${purpose}`).digest();
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

// Written in full under another name and then linked: nobody ever reads half a secret, and the link fails where another
// process was first.
async function createSecret(path: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(secretBytes).toString('hex')}\n`);
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
