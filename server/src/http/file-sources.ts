/** Sources of files for responses, from memory and from disk. */
import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FileSource } from './answers.ts';

/** A small file that is in memory already. */
export function fileInMemory(content: string | Buffer, contentType: string): FileSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    size: bytes.length,
    version: hash('sha256', bytes).slice(0, 32),
    contentType,
    open: ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
  };
}

/**
 * A file on this disk, which is replaced and never rewritten. Its version consists of its length and the time of its last change.
 * @throws the system's error, `ENOENT` if the file does not exist
 */
export async function fileOnDisk(path: string, contentType: string): Promise<FileSource> {
  const { size, mtime, mtimeMs } = await stat(path);
  return {
    size,
    modifiedAt: mtime,
    version: `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`,
    contentType,
    open: (range) => createReadStream(path, range),
  };
}
