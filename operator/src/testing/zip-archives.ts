/** Zip archives as other programs write them, and damaged ones. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string | Buffer;
  readonly content: string | Buffer;
  /** Bit 11 says that the name is UTF-8, bit 0 that the content is encrypted. */
  readonly flags?: number;
  /** What the directory says about the content. */
  readonly size?: number;
  readonly checksum?: number;
  readonly isCompressed?: boolean;
  /** Sizes and offset of 64 bits. */
  readonly isLarge?: boolean;
  /** The entry is at the place of this other one. */
  readonly at?: number;
}

const LARGE = 0xffffffff;
const LARGE_FIELD_ID = 1;

/** The bytes of an archive. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { flags = 0, isCompressed = false, isLarge = false, at } = entry;
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content);
    const compressed = isCompressed ? deflateRawSync(content) : content;
    // Encrypted content begins with 12 more bytes.
    const packed = flags % 2 === 1 ? Buffer.concat([Buffer.alloc(12), compressed]) : compressed;
    const size = entry.size ?? content.length;
    const place = at === undefined ? offset : (offsets[at] ?? 0);
    offsets.push(place);
    const extra = isLarge ? largeField(size, packed.length, place) : Buffer.alloc(0);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(45, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(isCompressed ? 8 : 0, 4);
    common.writeUInt32LE(entry.checksum ?? crc32(content), 10);
    common.writeUInt32LE(isLarge ? LARGE : packed.length, 14);
    common.writeUInt32LE(isLarge ? LARGE : size, 18);
    common.writeUInt16LE(name.length, 22);
    common.writeUInt16LE(extra.length, 24);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(isLarge ? LARGE : place, 10);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([45, 0]), common, rest, name, extra);
    if (at !== undefined) continue;
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, extra, packed]);
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...parts, central, ending(entries, central.length, offset)]);
}

function largeField(...values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(LARGE_FIELD_ID, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return field;
}

function ending(entries: readonly ZipEntry[], bytes: number, offset: number): Buffer {
  const isLarge = entries.some((entry) => entry.isLarge === true);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(isLarge ? 0xffff : entries.length, 8);
  end.writeUInt16LE(isLarge ? 0xffff : entries.length, 10);
  end.writeUInt32LE(isLarge ? LARGE : bytes, 12);
  end.writeUInt32LE(isLarge ? LARGE : offset, 16);
  if (!isLarge) return end;
  const record = Buffer.alloc(56);
  record.write('PK\u0006\u0006', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(entries.length), 24);
  record.writeBigUInt64LE(BigInt(entries.length), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\u0006\u0007', 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator, end]);
}
