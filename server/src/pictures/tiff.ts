/** Reads this many bytes from a position of a file; fewer at its end. */
export type ReadAt = (start: number, length: number) => Promise<Buffer>;

export function readingFrom(content: Buffer): ReadAt {
  return async (start, length) =>
    content.subarray(Math.min(start, content.length), Math.min(start + length, content.length));
}

/**
 * Limits what the library has to read: pages, and the entries of all of them. Scanned documents have hundreds of pages
 * with a dozen entries each.
 */
const MAX_PAGES = 1000;
const MAX_ENTRIES = 50_000;

/**
 * Whether a file has few pages, if it is a TIFF. Each page contains the position of the next one, and the library reads
 * all of them before it decodes the first. 500,000 pages fit into 9 MB. Reading them takes seconds and cannot be
 * interrupted. See TIFF 6.0, section 2; BigTIFF has longer numbers.
 */
export async function hasFewPages(read: ReadAt): Promise<boolean> {
  const head = await read(0, 16);
  const isLittle = head.toString('latin1', 0, 2) === 'II';
  if (head.length < 8 || !(isLittle || head.toString('latin1', 0, 2) === 'MM')) return true;
  const version = number(head.subarray(2, 4), isLittle);
  if (version !== 42 && version !== 43) return true;
  const { count: countBytes, entry: entryBytes, place: placeBytes } = version === 42 ? CLASSIC : BIG;
  let at = number(head.subarray(placeBytes, 2 * placeBytes), isLittle);
  let entries = 0;
  for (let pages = 0; at !== 0; pages++) {
    if (pages === MAX_PAGES) return false;
    const count = await read(at, countBytes);
    if (count.length < countBytes) return true;
    const here = number(count, isLittle);
    entries += here;
    if (entries > MAX_ENTRIES) return false;
    const next = await read(at + countBytes + here * entryBytes, placeBytes);
    if (next.length < placeBytes) return true;
    at = number(next, isLittle);
  }
  return true;
}

/** Sizes in bytes. The header contains the position of the first page at the offset `place`. */
const CLASSIC = { count: 2, entry: 12, place: 4 };
const BIG = { count: 8, entry: 20, place: 8 };

/** Parses an unsigned number. Large ones lose precision, but stay beyond the end of any file. */
function number(bytes: Buffer, isLittle: boolean): number {
  let value = 0;
  for (const byte of isLittle ? bytes.toReversed() : bytes) value = value * 256 + byte;
  return value;
}
