import type { Readable } from 'node:stream';
import type { S3Store } from '@tus/s3-store';
import type { PiecewiseStorage } from './resumable.ts';
import type { S3Storage } from './s3.ts';

/** Pieces are sent when they are so large; what is less waits beside the file (`<key>.part`). */
const PIECE = 8 * 1024 * 1024;
const PIECES_AT_ONCE = 2;

/** The store's own uploads in parts, as the library of the protocol keeps them. It is loaded with the first one. */
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

  /** Of parts that are numbered alike the last one counts, and after the file is whole none is taken. */
  async takeOver(): Promise<void> {}

  async append(key: string, offset: number, content: Readable, check: () => void): Promise<number> {
    const store = await this.#open();
    check();
    return store.write(content, key, offset);
  }

  /** The last piece has made the file. */
  async finish(): Promise<void> {}

  #open(): Promise<S3Store> {
    this.#opened ??= import('@tus/s3-store').then(
      ({ S3Store: Store }) =>
        new Store({
          partSize: PIECE,
          maxConcurrentPartUploads: PIECES_AT_ONCE,
          useTags: false,
          s3ClientConfig: { ...this.#storage.clientConfig(), bucket: this.#storage.bucket },
        }),
    );
    return this.#opened;
  }
}
