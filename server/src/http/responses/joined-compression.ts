/**
 * Compresses responses that share long pieces with others. Each shared piece is compressed once, and the compressed pieces are joined. The
 * users of a large organization are tens of megabytes, and all its clients get them.
 *
 * Both codings allow this. A zstd response may consist of several frames. A gzip response is one member. Each piece is a deflate stream of
 * whole bytes that refers to nothing before it. The checksum follows from those of the pieces.
 */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { isShared } from '../answers/raw-json.ts';
import { joinedChecksum, shiftOf } from './joined-checksum.ts';

export type JoinedCoding = 'zstd' | 'gzip';

/** A compressed piece. */
interface Part {
  readonly bytes: Buffer;
  /** The length and the CRC-32 of what it contains. Only gzip needs them. */
  readonly length: number;
  readonly checksum: number;
  readonly shift: number;
}

/** A shared piece is compressed rarely and sent often. */
const SHARED_LEVELS = { gzip: 6, zstd: 9 } as const;
/** As for other responses: compressing takes about as long as sending the bytes that it saves. */
const OWN_LEVELS = { gzip: 1, zstd: 3 } as const;

/** Shorter stretches between shared pieces are stored as they are: names of fields, and commas. */
const MAX_STORED_BYTES = 255;

const zstd = promisify(zlib.zstdCompress);
const deflate = promisify(zlib.deflateRaw);

/** The compressed forms of each shared piece. A promise: it is being compressed. */
const known = new WeakMap<Buffer, Map<JoinedCoding, Part | Promise<Part>>>();

export function hasSharedPieces(body: readonly Buffer[]): boolean {
  return body.some(isShared);
}

/**
 * The compressed body, in pieces. Those that are shared are the same buffers for each response. One piece is compressed at a time, because
 * each needs a megabyte while it is.
 */
export async function compressJoined(body: readonly Buffer[], coding: JoinedCoding): Promise<readonly Buffer[]> {
  const parts: Part[] = [];
  for (const stretch of stretchesOf(body)) {
    const made = partOf(stretch, coding);
    parts.push(made instanceof Promise ? await made : made);
  }
  const compressed = parts.map(({ bytes }) => bytes);
  return coding === 'zstd' ? compressed : [GZIP_HEADER, ...compressed, gzipEnd(parts)];
}

/** The body with the pieces between two shared ones joined. */
function stretchesOf(body: readonly Buffer[]): readonly Buffer[] {
  const stretches: Buffer[] = [];
  let own: Buffer[] = [];
  const cut = (): void => {
    if (own.length > 0) stretches.push(Buffer.concat(own));
    own = [];
  };
  for (const piece of body) {
    if (!isShared(piece)) {
      if (piece.length > 0) own.push(piece);
      continue;
    }
    cut();
    stretches.push(piece);
  }
  cut();
  return stretches;
}

function partOf(stretch: Buffer, coding: JoinedCoding): Promise<Part> | Part {
  if (isShared(stretch)) return sharedPart(stretch, coding);
  return stretch.length <= MAX_STORED_BYTES ? stored(stretch, coding) : made(stretch, coding, OWN_LEVELS);
}

function sharedPart(piece: Buffer, coding: JoinedCoding): Promise<Part> | Part {
  const byCoding = known.get(piece) ?? new Map<JoinedCoding, Part | Promise<Part>>();
  known.set(piece, byCoding);
  const found = byCoding.get(coding);
  if (found !== undefined) return found;
  const making = made(piece, coding, SHARED_LEVELS).then(toKeep);
  byCoding.set(coding, making);
  making.then(
    (finished) => byCoding.set(coding, finished),
    () => byCoding.delete(coding),
  );
  return making;
}

/** The compressed bytes without the rest of the buffer that they were written to: it has a quarter of the size of the content. */
function toKeep(one: Part): Part {
  const bytes = Buffer.allocUnsafeSlow(one.bytes.length);
  one.bytes.copy(bytes);
  return { ...one, bytes };
}

async function made(content: Buffer, coding: JoinedCoding, levels: Levels): Promise<Part> {
  const chunkSize = Math.max(1024, content.length >> 2);
  if (coding === 'gzip') {
    const options = { level: levels.gzip, finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize };
    return part(await deflate(content, options), content, coding);
  }
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: levels.zstd };
  return part(await zstd(content, { params, pledgedSrcSize: content.length, chunkSize }), content, coding);
}

type Levels = Readonly<Record<JoinedCoding, number>>;

function part(bytes: Buffer, content: Buffer, coding: JoinedCoding): Part {
  const { length } = content;
  if (coding === 'zstd') return { bytes, length, checksum: 0, shift: 0 };
  return { bytes, length, checksum: zlib.crc32(content), shift: shiftOf(length) };
}

/** A frame with one raw block (RFC 8878, section 3.1.1), or a stored block that is not the last (RFC 1951, section 3.2.4). */
function stored(content: Buffer, coding: JoinedCoding): Part {
  const { length } = content;
  const head =
    coding === 'zstd'
      ? [0x28, 0xb5, 0x2f, 0xfd, 0x20, length, ((length << 3) | 1) & 0xff, length >> 5, 0]
      : [0, length, 0, ~length & 0xff, 0xff];
  return part(Buffer.concat([Buffer.from(head), content]), content, coding);
}

/** Deflate, without a name and a time (RFC 1952). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** An empty last block, the checksum, and the length modulo 2³². */
function gzipEnd(parts: readonly Part[]): Buffer {
  const end = Buffer.from([1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]);
  let checksum = 0;
  let length = 0;
  for (const one of parts) {
    checksum = joinedChecksum(checksum, one.checksum, one.shift);
    length += one.length;
  }
  end.writeUInt32LE(checksum, 5);
  end.writeUInt32LE(length % 2 ** 32, 9);
  return end;
}
