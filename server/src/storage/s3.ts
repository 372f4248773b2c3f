import type { Readable } from 'node:stream';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { timeoutOf } from '../config/timeout-factor.ts';
import type { Part, Storage } from './storage.ts';

export interface S3Options {
  readonly bucket: string;
  /** null: the default of the provider. */
  readonly endpoint: string | null;
  readonly region: string;
  /** null: as the provider's own programs find them. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/**
 * The size of a part of an upload, in bytes. Together with the number of parallel parts it bounds the memory of an
 * upload.
 */
const PART_BYTES = 8 * 1024 * 1024;
const MAX_CONCURRENT_PARTS = 2;

/**
 * Timeouts in milliseconds. Without them, a silent store would block everything that waits for it. `answer`: until the
 * response begins. `answerToPart`: the same for a request that sends a part of a file. `idle`: while no data is transferred.
 */
const TIMEOUTS_MS = {
  connect: timeoutOf(5_000),
  answer: timeoutOf(10_000),
  answerToPart: timeoutOf(30_000),
  idle: timeoutOf(60_000),
};
/** Attempts per request. The next part of a file waits for all of them. */
const MAX_ATTEMPTS_PER_REQUEST = 2;

type Library = typeof import('@aws-sdk/client-s3');

/** Stores files in a bucket. The library is loaded with the first file. */
export class S3Storage implements Storage {
  readonly #options: S3Options;
  readonly #waits: typeof TIMEOUTS_MS;
  #opened: Promise<{ readonly library: Library; readonly client: S3Client }> | undefined;

  constructor(options: S3Options, waits = TIMEOUTS_MS) {
    this.#options = options;
    this.#waits = waits;
  }

  get bucket(): string {
    return this.#options.bucket;
  }

  async put(key: string, content: Readable): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const { client } = await this.#open();
    const ContentType = 'application/octet-stream'; // wire name: bytes of any kind
    const upload = new Upload({
      client,
      params: { Bucket: this.#options.bucket, Key: key, Body: content, ContentType },
      partSize: PART_BYTES,
      queueSize: MAX_CONCURRENT_PARTS,
      leavePartsOnError: false,
    });
    await upload.done();
  }

  async get(key: string, { start, end }: Part): Promise<Readable> {
    const { library, client } = await this.#open();
    const answer = await client.send(
      new library.GetObjectCommand({ Bucket: this.#options.bucket, Key: key, Range: `bytes=${start}-${end}` }),
      this.#quick,
    );
    // In Node, the body is a Readable.
    return answer.Body as Readable;
  }

  async remove(key: string): Promise<void> {
    const { library, client } = await this.#open();
    const { bucket: Bucket } = this.#options;
    const { Uploads = [] } = await client.send(
      new library.ListMultipartUploadsCommand({ Bucket, Prefix: key }),
      this.#quick,
    );
    for (const { Key, UploadId } of Uploads) {
      if (Key === key)
        await client.send(new library.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), this.#quick);
    }
    // Includes the files that exist beside it during an upload in pieces.
    for (const Key of [key, `${key}.info`, `${key}.part`]) {
      await client.send(new library.DeleteObjectCommand({ Bucket, Key }), this.#quick);
    }
  }

  async whole(key: string, size: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of await this.get(key, { start: 0, end: size - 1 })) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  }

  async check(): Promise<void> {
    const { library, client } = await this.#open();
    await client.send(new library.HeadBucketCommand({ Bucket: this.#options.bucket }), this.#quick);
  }

  /** For requests that send no part of a file. */
  get #quick() {
    return { requestTimeout: this.#waits.answer };
  }

  #open() {
    this.#opened ??= import('@aws-sdk/client-s3').then((library) => ({
      library,
      client: new library.S3Client(this.clientConfig()),
    }));
    return this.#opened;
  }

  clientConfig(): S3ClientConfig {
    const { endpoint, region, credentials } = this.#options;
    const { connect: connectionTimeout, answerToPart: requestTimeout, idle: socketTimeout } = this.#waits;
    return {
      region,
      maxAttempts: MAX_ATTEMPTS_PER_REQUEST,
      requestHandler: { connectionTimeout, requestTimeout, throwOnRequestTimeout: true, socketTimeout },
      ...(endpoint !== null && { endpoint, forcePathStyle: true }),
      ...(credentials !== null && { credentials }),
    };
  }
}
