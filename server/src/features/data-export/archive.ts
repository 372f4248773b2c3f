/** Writes a zip archive into the storage, one entry after the other. Nothing of it is completely in memory. */
import { createHash } from 'node:crypto';
import { addAbortSignal, Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Storage } from '../../storage/storage.ts';

/** An entry, as the manifest lists it. */
export interface ArchivedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export class Archive {
  readonly #zip = new ZipFile();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Adds an entry, and resolves when it has been read. */
  async add(
    path: string,
    content: AsyncIterable<Uint8Array>,
    { isCompressed = true }: { readonly isCompressed?: boolean } = {},
  ): Promise<ArchivedFile> {
    const hash = createHash('sha256');
    let bytes = 0;
    async function* measured() {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    }
    const entry = addAbortSignal(this.#signal, Readable.from(measured(), { objectMode: false }));
    this.#zip.addReadStream(entry, path, { compress: isCompressed, mode: 0o100600 }); // wire name: yazl's
    await finished(entry);
    return { path, bytes, sha256: hash.digest('hex') };
  }

  /**
   * Stores an archive that `fill` fills, and returns its size. If `fill` or the storage fails, a part of it can remain under the key.
   * @throws what `fill` or the storage throws
   */
  static async store(
    storage: Storage,
    key: string,
    signal: AbortSignal,
    fill: (archive: Archive) => Promise<void>,
  ): Promise<number> {
    const stop = new AbortController();
    const archive = new Archive(AbortSignal.any([signal, stop.signal]));
    let size = 0;
    const output = new Transform({
      transform(chunk: Buffer, _, done) {
        size += chunk.length;
        done(null, chunk);
      },
    });
    archive.#zip.on('error', (error: Error) => output.destroy(error));
    archive.#zip.outputStream.pipe(output); // wire name: yazl's
    const stored = storage.put(key, output);
    // If the storage fails, nothing reads the entries any more.
    stored.catch((error: unknown) => stop.abort(error));
    try {
      await fill(archive);
      archive.#zip.end();
      await stored;
      return size;
    } catch (error) {
      // If the storage failed, `fill` only knows that its entry was aborted.
      const cause = stop.signal.aborted ? stop.signal.reason : error;
      output.destroy();
      await stored.catch(() => undefined);
      throw cause;
    }
  }
}
