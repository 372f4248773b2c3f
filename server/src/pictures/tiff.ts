/** Gives so many bytes from a place of a file; fewer where it ends. */
export type ReadAt = (start: number, length: number) => Promise<Buffer>;

export function readingFrom(content: Buffer): ReadAt {
  return async (start, length) =>
    content.subarray(Math.min(start, content.length), Math.min(start + length, content.length));
}

/** What the library may be made to follow: pages, and what all of them say of themselves. Scanned documents have hundreds, of a dozen each. */
const MOST_PAGES = 1000;
const MOST_ENTRIES = 50_000;

/**
 * Whether a file, if it is a TIFF, has few pages. Each says where the next one is, and the library follows all of them before it knows
 * the first: 500,000 fit into 9 MB, and take it seconds that nothing can end. (TIFF 6.0, section 2; BigTIFF has longer numbers.)
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
    if (pages === MOST_PAGES) return false;
    const count = await read(at, countBytes);
    if (count.length < countBytes) return true;
    const here = number(count, isLittle);
    entries += here;
    if (entries > MOST_ENTRIES) return false;
    const next = await read(at + countBytes + here * entryBytes, placeBytes);
    if (next.length < placeBytes) return true;
    at = number(next, isLittle);
  }
  return true;
}

/** Bytes. The first page's place is in the header at as many bytes as it is long. */
const CLASSIC = { count: 2, entry: 12, place: 4 };
const BIG = { count: 8, entry: 20, place: 8 };

/** Those that are beyond any file stay so. */
function number(bytes: Buffer, isLittle: boolean): number {
  let value = 0;
  for (const byte of isLittle ? bytes.toReversed() : bytes) value = value * 256 + byte;
  return value;
}
