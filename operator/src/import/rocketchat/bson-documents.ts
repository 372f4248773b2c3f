/** Reads the collections of a `mongodump`: files of BSON documents, one after the other. */
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { deserialize } from 'bson';
import { type ArchiveFiles, damaged, EntryCount, explainedContent } from '../archives/archive-files.ts';
import type { Json } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import { ImportError } from '../source.ts';

/** Bytes of the length at the beginning of a document. */
const LENGTH_BYTES = 4;
/** An empty document: its length, and a zero. */
const MIN_DOCUMENT_BYTES = 5;

/** Collections by their names. */
export class Dump {
  readonly #archive: ArchiveFiles;
  readonly #paths = new Map<string, string>();

  /** @param folder of the database, with a slash at its end; '' for the root */
  constructor(archive: ArchiveFiles, folder: string) {
    this.#archive = archive;
    for (const path of archive.files.keys()) {
      const [, name] = COLLECTION.exec(path.startsWith(folder) ? path.slice(folder.length) : '') ?? [];
      if (name !== undefined && !this.#paths.has(name)) this.#paths.set(name, path);
    }
  }

  get collections(): Iterable<string> {
    return this.#paths.keys();
  }

  /** @throws ImportError a document is damaged, too large or too deep */
  async *documents(collection: string): AsyncGenerator<Json> {
    const path = this.#paths.get(collection);
    if (path === undefined) return;
    for await (const bytes of documentBytes(await this.#content(path), path)) yield parsed(bytes, path);
  }

  async #content(path: string): Promise<AsyncIterable<Buffer>> {
    const content = await this.#archive.open(path);
    return path.endsWith('.gz') ? unzipped(content, path, this.#archive.files.get(path) ?? 0) : content;
  }
}

export const COLLECTION = /^([^/]+)\.bson(?:\.gz)?$/;

async function* unzipped(content: Readable, path: string, packedBytes: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  content.on('error', (error) => gunzip.destroy(error));
  const count = new EntryCount(path);
  let bytes = 0;
  try {
    for await (const chunk of explainedContent(content.pipe(gunzip), path)) {
      bytes += chunk.length;
      count.checkRatio(bytes, packedBytes);
      yield chunk;
    }
  } finally {
    content.destroy();
  }
}

async function* documentBytes(content: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let needed = LENGTH_BYTES;
  for await (const chunk of content) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes < needed) continue;
    const all = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    let begin = 0;
    needed = LENGTH_BYTES;
    while (all.length - begin >= LENGTH_BYTES) {
      const length = all.readInt32LE(begin);
      if (length < MIN_DOCUMENT_BYTES || length > LIMITS.lineBytes)
        throw damaged(path, `a document has ${length} bytes`);
      needed = length;
      if (all.length - begin < length) break;
      yield all.subarray(begin, begin + length);
      begin += length;
      needed = LENGTH_BYTES;
    }
    pieces = begin === all.length ? [] : [all.subarray(begin)];
    bytes = all.length - begin;
  }
  if (bytes > 0) throw damaged(path, 'it ends in a document');
}

function parsed(bytes: Buffer, path: string): Json {
  try {
    return deserialize(bytes, { promoteBuffers: true });
  } catch (error) {
    throw new ImportError(
      `${path} is not valid BSON: ${error instanceof Error ? error.message.slice(0, 200) : error}.`,
    );
  }
}

/** A time in milliseconds. The temporary database has it as text. */
export function timeIn(object: Json, name: string): number | undefined {
  const value = object[name];
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return time > 0 && time <= MAX_TIME_MS ? time : undefined;
}

export function dateIn(object: Json, name: string): Date | undefined {
  const time = timeIn(object, name);
  return time === undefined ? undefined : new Date(time);
}

/** The year 9999. PostgreSQL knows it too. */
const MAX_TIME_MS = 253_402_300_799_000;

/** An id: a text, or an ObjectId. */
export function idIn(object: Json, name: string): string | undefined {
  const value = object[name];
  if (typeof value === 'string') return value === '' ? undefined : value;
  return isObjectId(value) ? value.toHexString() : undefined;
}

function isObjectId(value: unknown): value is { toHexString(): string } {
  return (
    typeof value === 'object' && value !== null && 'toHexString' in value && typeof value.toHexString === 'function'
  );
}
