/**
 * Writes a zip archive as a stream (PKWARE's APPNOTE.TXT). The size of an entry is unknown when it begins, so it follows the content in a
 * data descriptor. All local headers and descriptors are zip64, because any entry can be large. The central directory has zip64 fields only
 * where they are needed.
 *
 * Per entry, only its record of the central directory stays in memory: about 50 bytes and the path.
 */
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { ByteList } from './byte-list.ts';

const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const DATA_DESCRIPTOR_SIGNATURE = 0x08074b50;
const CENTRAL_RECORD_SIGNATURE = 0x02014b50;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ARCHIVE_END_SIGNATURE = 0x06054b50;

/** The first version of the format that has zip64. */
const ZIP_VERSION = 45;
/** The attributes below are those of Unix. */
const MADE_BY_VERSION = (3 << 8) | ZIP_VERSION;
/** A file that only its owner may read and write. */
const FILE_ATTRIBUTES_FLAGS = (0o100600 << 16) >>> 0;
/** The sizes follow the content, and the path is UTF-8. */
const ENTRY_FLAGS = 0x0808;
const STORED_CODE = 0;
const DEFLATED_CODE = 8;
const ZIP64_FIELD_ID = 1;
/** These values say that a zip64 field has the real one. */
const MAX_UINT16_VALUE = 0xffff;
const MAX_UINT32_VALUE = 0xffff_ffff;

interface Entry {
  readonly name: Buffer;
  readonly method: number;
  readonly offset: number;
  crc: number;
  bytes: number;
  packedBytes: number;
}

export interface EntryOptions {
  readonly isCompressed: boolean;
  /** Ends the writing of the entry. The archive is then damaged. */
  readonly signal: AbortSignal;
}

/** Resolves when more can be written. */
type Write = (bytes: Buffer, signal: AbortSignal) => Promise<void>;

export class ZipWriter {
  readonly #write: Write;
  readonly #dosTime: number;
  readonly #directory = new ByteList();
  #offset = 0;
  #entries = 0;

  /** @param modifiedAt of all entries */
  constructor(write: Write, modifiedAt = new Date()) {
    this.#write = write;
    this.#dosTime = dosTime(modifiedAt);
  }

  /** Writes an entry, and resolves when all of it is written. */
  async add(path: string, content: AsyncIterable<Uint8Array>, { isCompressed, signal }: EntryOptions): Promise<void> {
    const method = isCompressed ? DEFLATED_CODE : STORED_CODE;
    const entry: Entry = { name: Buffer.from(path), method, offset: this.#offset, crc: 0, bytes: 0, packedBytes: 0 };
    async function* measured() {
      for await (const chunk of content) {
        entry.crc = crc32(chunk, entry.crc);
        entry.bytes += chunk.length;
        yield chunk;
      }
    }
    const write = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of chunks) {
        entry.packedBytes += chunk.length;
        await this.#put(chunk, signal);
      }
    };
    await this.#put(this.#localHeader(entry), signal);
    if (isCompressed) await pipeline(measured, createDeflateRaw(), write, { signal });
    else await pipeline(measured, write, { signal });
    await this.#put(dataDescriptor(entry), signal);
    this.#directory.append(this.#centralRecord(entry));
    this.#entries += 1;
  }

  /** Writes the central directory. Returns the size of the archive. */
  async end(signal: AbortSignal): Promise<number> {
    const directoryOffset = this.#offset;
    for (const block of this.#directory.blocks()) await this.#put(block, signal);
    await this.#put(endRecords(this.#entries, this.#directory.length, directoryOffset), signal);
    return this.#offset;
  }

  async #put(bytes: Buffer, signal: AbortSignal): Promise<void> {
    this.#offset += bytes.length;
    await this.#write(bytes, signal);
  }

  #localHeader({ name, method }: Entry): Buffer {
    const header = Buffer.alloc(30 + name.length + 20);
    header.writeUInt32LE(LOCAL_HEADER_SIGNATURE, 0);
    header.writeUInt16LE(ZIP_VERSION, 4);
    header.writeUInt16LE(ENTRY_FLAGS, 6);
    header.writeUInt16LE(method, 8);
    header.writeUInt32LE(this.#dosTime, 10);
    header.writeUInt32LE(MAX_UINT32_VALUE, 18);
    header.writeUInt32LE(MAX_UINT32_VALUE, 22);
    header.writeUInt16LE(name.length, 26);
    header.writeUInt16LE(20, 28);
    name.copy(header, 30);
    // The two sizes in this field are zero, because they follow the content.
    header.writeUInt16LE(ZIP64_FIELD_ID, 30 + name.length);
    header.writeUInt16LE(16, 32 + name.length);
    return header;
  }

  #centralRecord({ name, method, offset, crc, bytes, packedBytes }: Entry): Buffer {
    const large = [bytes, packedBytes, offset].filter((value) => value >= MAX_UINT32_VALUE);
    const extra = large.length === 0 ? 0 : 4 + 8 * large.length;
    const record = Buffer.alloc(46 + name.length + extra);
    record.writeUInt32LE(CENTRAL_RECORD_SIGNATURE, 0);
    record.writeUInt16LE(MADE_BY_VERSION, 4);
    record.writeUInt16LE(ZIP_VERSION, 6);
    record.writeUInt16LE(ENTRY_FLAGS, 8);
    record.writeUInt16LE(method, 10);
    record.writeUInt32LE(this.#dosTime, 12);
    record.writeUInt32LE(crc, 16);
    record.writeUInt32LE(Math.min(packedBytes, MAX_UINT32_VALUE), 20);
    record.writeUInt32LE(Math.min(bytes, MAX_UINT32_VALUE), 24);
    record.writeUInt16LE(name.length, 28);
    record.writeUInt16LE(extra, 30);
    record.writeUInt32LE(FILE_ATTRIBUTES_FLAGS, 38);
    record.writeUInt32LE(Math.min(offset, MAX_UINT32_VALUE), 42);
    name.copy(record, 46);
    if (extra > 0) {
      const field = 46 + name.length;
      record.writeUInt16LE(ZIP64_FIELD_ID, field);
      record.writeUInt16LE(8 * large.length, field + 2);
      for (const [index, value] of large.entries()) record.writeBigUInt64LE(BigInt(value), field + 4 + 8 * index);
    }
    return record;
  }
}

function dataDescriptor({ crc, bytes, packedBytes }: Entry): Buffer {
  const descriptor = Buffer.alloc(24);
  descriptor.writeUInt32LE(DATA_DESCRIPTOR_SIGNATURE, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeBigUInt64LE(BigInt(packedBytes), 8);
  descriptor.writeBigUInt64LE(BigInt(bytes), 16);
  return descriptor;
}

/** The records at the end. Those of zip64 come first, and exist only in an archive that needs them. */
function endRecords(entries: number, directoryBytes: number, directoryOffset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(ARCHIVE_END_SIGNATURE, 0);
  end.writeUInt16LE(Math.min(entries, MAX_UINT16_VALUE), 8);
  end.writeUInt16LE(Math.min(entries, MAX_UINT16_VALUE), 10);
  end.writeUInt32LE(Math.min(directoryBytes, MAX_UINT32_VALUE), 12);
  end.writeUInt32LE(Math.min(directoryOffset, MAX_UINT32_VALUE), 16);
  if (entries < MAX_UINT16_VALUE && directoryBytes < MAX_UINT32_VALUE && directoryOffset < MAX_UINT32_VALUE) return end;
  const zip64 = Buffer.alloc(56);
  zip64.writeUInt32LE(ZIP64_END_SIGNATURE, 0);
  zip64.writeBigUInt64LE(44n, 4);
  zip64.writeUInt16LE(MADE_BY_VERSION, 12);
  zip64.writeUInt16LE(ZIP_VERSION, 14);
  zip64.writeBigUInt64LE(BigInt(entries), 24);
  zip64.writeBigUInt64LE(BigInt(entries), 32);
  zip64.writeBigUInt64LE(BigInt(directoryBytes), 40);
  zip64.writeBigUInt64LE(BigInt(directoryOffset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(ZIP64_LOCATOR_SIGNATURE, 0);
  locator.writeBigUInt64LE(BigInt(directoryOffset + directoryBytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([zip64, locator, end]);
}

/** A time as MS-DOS stored it: in steps of two seconds, from 1980. Ours is in UTC. */
function dosTime(time: Date): number {
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const second = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return ((day << 16) | second) >>> 0;
}
