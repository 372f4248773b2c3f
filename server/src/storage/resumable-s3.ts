import type { Readable } from 'node:stream';
import type { S3Store } from '@tus/s3-store';
import type { PiecewiseStorage } from './resumable.ts';
import type { S3Storage } from './s3.ts';

/** The size of a part, in bytes. Smaller rests wait in a file beside it (`<key>.part`). */
const PART_BYTES = 8 * 1024 * 1024;
const MAX_CONCURRENT_PARTS = 2;

/**
 * Multipart uploads of the store, as the library of the protocol keeps them. The library is loaded with the first
 * upload.
 */
export class PiecewiseS3 implements PiecewiseStorage {
  readonly #storage: S3Storage;
  #opened: Promise<S3Store> | undefined;

  constructor(storage: S3Storage) {
    this.#storage = storage;
  }

  async begin(key: string, size: number): Promise<void> {
    const { Upload } = await import('@tus/server');
    const store = await this.#open();
    await store.create(new Upload({ id: key, size, offset: 0 }));
  }

  async lengthOf(key: string): Promise<number> {
    const store = await this.#open();
    return (await store.getUpload(key)).offset;
  }

  /**
   * Nothing to do: of two parts with the same number the last one counts, and a complete file accepts no more parts.
   */
  async takeOver(): Promise<void> {}

  async append(key: string, offset: number, content: Readable, check: () => void): Promise<number> {
    const store = await this.#open();
    check();
    return store.write(content, key, offset);
  }

  /** The last part has already completed the file. */
  async finish(): Promise<void> {}

  #open(): Promise<S3Store> {
    this.#opened ??= import('@tus/s3-store').then(
      ({ S3Store: Store }) =>
        new Store({
          partSize: PART_BYTES,
          maxConcurrentPartUploads: MAX_CONCURRENT_PARTS,
          useTags: false,
          s3ClientConfig: { ...this.#storage.clientConfig(), bucket: this.#storage.bucket },
        }),
    );
    return this.#opened;
  }
}
