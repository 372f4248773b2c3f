/** Compresses responses in other threads, a few at a time. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { AcceptedCodings, Coding } from './accept-encoding.ts';
import type { SerializedJson } from './raw-json.ts';

/** Node has four threads for such work, and files need some of them. */
const MAX_COMPRESSIONS_AT_ONCE = 3;

/** The size of the buffers that a compressed response comes in. */
const CHUNK_BYTES = 64 * 1024;

/** Larger responses are compressed piece by piece, and not copied together. */
const MAX_COPIED_BYTES = 256 * 1024;

/** Each setting takes about as long as sending the bytes it saves over a network of 1 Gbit/s. */
const GZIP_LEVEL = 1;
const BROTLI_QUALITY = 4;
const ZSTD_LEVEL = 3;

/** Compresses up to `MAX_COMPRESSIONS_AT_ONCE` responses. While it is busy, other responses are sent as they are. */
export class Compression {
  #running = 0;
  /** Responses to clients that accept no uncompressed one. */
  readonly #waiting: (() => void)[] = [];

  /** @returns undefined where the response has to be sent as it is */
  async compress(
    body: SerializedJson,
    bytes: number,
    accepted: AcceptedCodings,
  ): Promise<readonly Buffer[] | undefined> {
    const { coding, acceptsIdentity } = accepted;
    if (coding === undefined || (acceptsIdentity && this.#running >= MAX_COMPRESSIONS_AT_ONCE)) return undefined;
    await this.#enter();
    try {
      return await compressed(body, bytes, coding);
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running >= MAX_COMPRESSIONS_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

async function compressed(body: SerializedJson, bytes: number, coding: Coding): Promise<readonly Buffer[]> {
  if (typeof body === 'string' || Buffer.isBuffer(body) || bytes <= MAX_COPIED_BYTES) {
    const whole = typeof body === 'string' || Buffer.isBuffer(body) ? body : Buffer.concat(body, bytes);
    return [await compressWhole(whole, bytes, coding)];
  }
  const chunks: Buffer[] = [];
  await pipeline(Readable.from(body, { objectMode: false }), compressorOf(coding, bytes), async (compressor) => {
    for await (const chunk of compressor) chunks.push(chunk as Buffer);
  });
  return chunks;
}

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
const zstd = promisify(zlib.zstdCompress);

function compressWhole(body: string | Buffer, bytes: number, coding: Coding): Promise<Buffer> {
  switch (coding) {
    case 'gzip':
      return gzip(body, gzipOptions(bytes));
    case 'br':
      return brotli(body, brotliOptions(bytes));
    case 'zstd':
      return zstd(body, zstdOptions(bytes));
  }
}

function compressorOf(coding: Coding, bytes: number): zlib.Gzip | zlib.BrotliCompress | zlib.ZstdCompress {
  switch (coding) {
    case 'gzip':
      return zlib.createGzip(gzipOptions(bytes));
    case 'br':
      return zlib.createBrotliCompress(brotliOptions(bytes));
    case 'zstd':
      return zlib.createZstdCompress(zstdOptions(bytes));
  }
}

function chunkSizeFor(bytes: number): number {
  return Math.min(CHUNK_BYTES, Math.max(1024, bytes));
}

function gzipOptions(bytes: number): zlib.ZlibOptions {
  return { level: GZIP_LEVEL, chunkSize: chunkSizeFor(bytes) };
}

function brotliOptions(bytes: number): zlib.BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  const params = { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: bytes };
  return { params, chunkSize: chunkSizeFor(bytes) };
}

function zstdOptions(bytes: number): zlib.ZstdOptions {
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL };
  return { params, pledgedSrcSize: bytes, chunkSize: chunkSizeFor(bytes) };
}
