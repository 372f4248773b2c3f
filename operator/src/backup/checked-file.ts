import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupError, type CheckedFile } from './manifest.ts';

/** What flows through it, counted and hashed. */
class Meter extends Transform {
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  get checked(): CheckedFile {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Writes a new file that is on the disk when this resolves. */
export async function writeChecked(path: string, content: Readable | Iterable<Buffer>): Promise<CheckedFile> {
  const meter = new Meter();
  const file = await open(path, 'wx', 0o600);
  await pipeline(content, meter, file.createWriteStream({ flush: true }));
  return meter.checked;
}

/** Reads all of it. */
export async function checksumOf(content: Readable): Promise<CheckedFile> {
  const meter = new Meter();
  await pipeline(content, meter, new Writable({ write: (_chunk, _encoding, done) => done() }));
  return meter.checked;
}

/**
 * Reads a file of a backup and compares it with what was noted when it was written.
 * @throws BackupError
 */
export async function verify(path: string, expected: CheckedFile): Promise<void> {
  const found = await checksumOf(createReadStream(path)).catch((error: unknown) => {
    throw new BackupError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
  });
  if (found.bytes === expected.bytes && found.sha256 === expected.sha256) return;
  throw new BackupError(`${path} is damaged: its checksum is wrong. This backup cannot be restored.`);
}

/** Brings the names in a directory to the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
