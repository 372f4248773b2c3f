/** Compresses responses in other threads, a few at a time. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import type { AcceptedCodings, Coding } from '../answers/accept-encoding.ts';
import type { SerializedJson } from '../answers/raw-json.ts';
import { compressJoined, hasSharedPieces } from './joined-compression.ts';

/** Node has four threads for such work, and files need some of them. */
const MAX_COMPRESSIONS_AT_ONCE = 3;
const MAX_WAITING_RESPONSES = 1000;

/** The size of the buffers that a compressed response comes in. */
const CHUNK_BYTES = 64 * 1024;

/** Larger responses are compressed piece by piece, and not copied together. */
const MAX_COPIED_BYTES = 256 * 1024;

/** Each setting takes about as long as sending the bytes it saves over a network of 1 Gbit/s. */
const LEVELS: Levels = { gzip: 1, br: 4, zstd: 3 };
type Levels = Readonly<Record<Coding, number>>;

export interface Compressed {
  readonly coding: Coding;
  readonly pieces: readonly Buffer[];
}

/** Compresses up to `MAX_COMPRESSIONS_AT_ONCE` responses. While it is busy, other responses are sent as they are. */
export class Compression {
  /** Only these responses wait: those to clients that accept no uncompressed one, and those whose shared pieces cost nothing. */
  readonly #limiter = new ConcurrencyLimiter({
    atOnce: MAX_COMPRESSIONS_AT_ONCE,
    maxWaiting: MAX_WAITING_RESPONSES,
    refusal: () => new Error('too many responses wait to be compressed'),
  });

  /** @returns undefined where the response has to be sent as it is */
  async compress(
    body: SerializedJson,
    bytes: number,
    { coding, joinedCoding, acceptsIdentity }: AcceptedCodings,
  ): Promise<Compressed | undefined> {
    if (coding === undefined) return undefined;
    if (joinedCoding !== undefined && bytes > MAX_COPIED_BYTES && isInPieces(body) && hasSharedPieces(body)) {
      const pieces = await this.#limiter.run('all', () => compressJoined(body, joinedCoding));
      return { coding: joinedCoding, pieces };
    }
    if (acceptsIdentity && this.#limiter.isFull('all')) return undefined;
    return { coding, pieces: await this.#limiter.run('all', () => compressed(body, bytes, coding)) };
  }
}

function isInPieces(body: SerializedJson): body is readonly Buffer[] {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}

async function compressed(body: SerializedJson, bytes: number, coding: Coding): Promise<readonly Buffer[]> {
  if (!isInPieces(body) || bytes <= MAX_COPIED_BYTES) {
    const whole = isInPieces(body) ? Buffer.concat(body, bytes) : body;
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

export function compressWhole(body: string | Buffer, bytes: number, coding: Coding, levels = LEVELS): Promise<Buffer> {
  const options = optionsFor(coding, bytes, levels[coding]);
  if (coding === 'gzip') return gzip(body, options);
  return coding === 'br' ? brotli(body, options) : zstd(body, options);
}

function compressorOf(coding: Coding, bytes: number): zlib.Gzip | zlib.BrotliCompress | zlib.ZstdCompress {
  const options = optionsFor(coding, bytes, LEVELS[coding]);
  if (coding === 'gzip') return zlib.createGzip(options);
  return coding === 'br' ? zlib.createBrotliCompress(options) : zlib.createZstdCompress(options);
}

function optionsFor(coding: Coding, bytes: number, level: number): object {
  const chunkSize = Math.min(CHUNK_BYTES, Math.max(1024, bytes));
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants;
  if (coding === 'gzip') return { level, chunkSize };
  if (coding === 'br') return { params: { [BROTLI_PARAM_QUALITY]: level, [BROTLI_PARAM_SIZE_HINT]: bytes }, chunkSize };
  return { params: { [ZSTD_c_compressionLevel]: level }, pledgedSrcSize: bytes, chunkSize };
}
