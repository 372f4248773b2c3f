/** Files of this program, the same for everyone: kept in memory, compressed once, validated by `ETag`. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import { acceptedCodings, type Coding } from '../answers/accept-encoding.ts';
import { compressWhole } from '../responses/compression.ts';
import { fileHeaders } from '../responses/security-headers.ts';

interface Variant {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** High levels, because each asset is compressed once and sent often. */
const LEVELS = { gzip: 9, br: 9, zstd: 15 };

/** Smaller assets are sent uncompressed. */
const MIN_COMPRESSED_BYTES = 1024;

export class StaticAsset {
  readonly #contentType: string;
  readonly #isCompressible: boolean;
  readonly #load: () => Buffer | Promise<Buffer>;
  #plain: Promise<Variant> | undefined;
  readonly #compressed = new Map<Coding, Promise<Variant>>();

  /**
   * @param load reads the content; called once, at the first request
   * @param isCompressible false for pictures, whose formats compress already
   */
  constructor(contentType: string, load: () => Buffer | Promise<Buffer>, isCompressible = true) {
    this.#contentType = contentType;
    this.#load = load;
    this.#isCompressible = isCompressible;
  }

  /** Sends the asset in the coding that the client prefers, or only says that the client has it. */
  async send(request: FastifyRequest, reply: FastifyReply, cacheControl: string): Promise<FastifyReply> {
    const coding = await this.#codingFor(request);
    const { bytes, etag } = await (coding === undefined ? this.#whole() : this.#inCoding(coding));
    reply.headers({ ...fileHeaders(this.#contentType), etag, 'cache-control': cacheControl });
    if (this.#isCompressible) reply.header('vary', 'Accept-Encoding');
    if (fresh(request.headers, { etag })) return reply.code(304).send();
    reply.headers({ 'content-type': this.#contentType, 'content-length': bytes.length });
    if (coding !== undefined) reply.header('content-encoding', coding);
    return request.method === 'HEAD' ? reply.send('') : reply.send(bytes);
  }

  async #codingFor(request: FastifyRequest): Promise<Coding | undefined> {
    const header = request.headers['accept-encoding'];
    const { coding } = acceptedCodings(Array.isArray(header) ? header.join() : header);
    if (coding === undefined || !this.#isCompressible) return undefined;
    return (await this.#whole()).bytes.length < MIN_COMPRESSED_BYTES ? undefined : coding;
  }

  #whole(): Promise<Variant> {
    this.#plain ??= Promise.resolve(this.#load()).then((bytes) => {
      return { bytes, etag: `"${hash('sha256', bytes).slice(0, 32)}"` };
    });
    return this.#plain;
  }

  #inCoding(coding: Coding): Promise<Variant> {
    const known = this.#compressed.get(coding);
    if (known !== undefined) return known;
    const made = this.#whole().then(async ({ bytes, etag }) => {
      return {
        bytes: await compressWhole(bytes, bytes.length, coding, LEVELS),
        etag: `${etag.slice(0, -1)}-${coding}"`,
      };
    });
    this.#compressed.set(coding, made);
    return made;
  }
}
