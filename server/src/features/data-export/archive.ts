/** Writes a zip archive into the storage, one entry after the other. Nothing of it is completely in memory. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { addAbortSignal, PassThrough, Readable } from 'node:stream';
import type { Storage } from '../../storage/storage.ts';
import { ZipWriter } from './zip-writer.ts';

/** An entry, as the manifest lists it. */
export interface ArchivedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface AddOptions {
  readonly isCompressed?: boolean;
  /** Ends the writing of this entry, also while the storage does not accept more. */
  readonly signal?: AbortSignal;
}

export class Archive {
  readonly #output: PassThrough;
  readonly #signal: AbortSignal;
  readonly #zip: ZipWriter;

  private constructor(output: PassThrough, signal: AbortSignal) {
    this.#output = output;
    this.#signal = signal;
    this.#zip = new ZipWriter((bytes, over) => this.#write(bytes, over));
  }

  /**
   * Adds an entry, and resolves when it is written.
   * @throws the reason of the signal if it is aborted, or what the content throws
   */
  async add(
    path: string,
    content: AsyncIterable<Uint8Array>,
    { isCompressed = true, signal: own }: AddOptions = {},
  ): Promise<ArchivedFile> {
    const signal = own === undefined ? this.#signal : AbortSignal.any([this.#signal, own]);
    const hash = createHash('sha256');
    let bytes = 0;
    async function* measured() {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    }
    if (content instanceof Readable) {
      // Before it is read, nothing else listens to it. The reader gets the error too.
      content.on('error', () => undefined);
      addAbortSignal(signal, content);
    }
    try {
      await this.#zip.add(path, measured(), { isCompressed, signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
    return { path, bytes, sha256: hash.digest('hex') };
  }

  /** Waits while the storage does not accept more. */
  async #write(bytes: Buffer, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#output.write(bytes)) await once(this.#output, 'drain', { signal });
  }

  /**
   * Stores an archive that `fill` fills, and returns its size. If `fill` or the storage fails, a part of it can remain under the key.
   * @throws what `fill` or the storage throws
   */
  static async store(
    storage: Pick<Storage, 'put'>,
    key: string,
    signal: AbortSignal,
    fill: (archive: Archive) => Promise<void>,
  ): Promise<number> {
    const stop = new AbortController();
    const output = new PassThrough();
    const archive = new Archive(output, AbortSignal.any([signal, stop.signal]));
    const stored = storage.put(key, output);
    // If the storage fails, nothing reads the entries any more.
    stored.catch((error: unknown) => stop.abort(error));
    try {
      await fill(archive);
      const size = await archive.#zip.end(archive.#signal);
      output.end();
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
