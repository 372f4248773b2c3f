import type { Readable } from 'node:stream';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import { ImportError } from '../source.ts';
import { type ArchiveFiles, damaged, EntryCount, explainedContent } from './archive-files.ts';

const FILE_TYPE_MASK = 0o170000;
const REGULAR_FILE_TYPE = 0o100000;
const DIRECTORY_FILE_TYPE = 0o040000;

/**
 * Reads the directory of a zip archive. While an entry is read, its size and its checksum are compared with those of the directory.
 * @throws ImportError
 */
export async function openZip(path: string): Promise<ArchiveFiles> {
  let zip: ZipFile;
  try {
    // Names are decoded here, because many programs do not say that theirs are UTF-8.
    zip = await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false });
  } catch (error) {
    throw damaged(path, error);
  }
  const entries = new Map<string, Entry>();
  const ignored: string[] = [];
  try {
    await readEntries(zip, path, entries, ignored);
  } catch (error) {
    zip.close();
    throw damaged(path, error);
  }
  return {
    files: new Map([...entries].map(([name, { uncompressedSize }]) => [name, uncompressedSize])),
    ignored,
    async open(name): Promise<Readable> {
      const entry = entries.get(name);
      if (entry === undefined) throw new ImportError(`The archive has no file ${name}.`);
      try {
        const content = await zip.openReadStreamPromise(entry); // wire name: yauzl's
        return explainedContent(content, name, entry.crc32);
      } catch (error) {
        throw damaged(name, error);
      }
    },
    async close() {
      zip.close();
    },
  };
}

async function readEntries(zip: ZipFile, path: string, entries: Map<string, Entry>, ignored: string[]): Promise<void> {
  const count = new EntryCount(path);
  for await (const entry of zip.eachEntry()) {
    const { uncompressedSize, compressedSize } = entry;
    const name = nameOf(entry);
    count.add(name, uncompressedSize, compressedSize);
    if (name.endsWith('/')) continue;
    const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK;
    if (type === DIRECTORY_FILE_TYPE) continue;
    // Archives of systems without file types have 0.
    if (type !== 0 && type !== REGULAR_FILE_TYPE) ignored.push(name);
    else if (entry.isEncrypted()) throw new ImportError(`${path} is encrypted. Decrypt it first.`);
    else if (entries.has(name)) throw new ImportError(`${path} has ${JSON.stringify(name.slice(0, 200))} twice.`);
    else entries.set(name, entry);
  }
  checkOverlap(path, entries);
}

const UTF8_NAME_MASK = 0x800;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A name without the flag of UTF-8 should be in code page 437. Slack and others write UTF-8 without the flag. Text in code page 437 that is
 * not ASCII is almost never valid UTF-8.
 */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_NAME_MASK : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false);
}

function isUtf8(bytes: Buffer): boolean {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Many entries that share their compressed bytes would make a small archive very large. */
function checkOverlap(path: string, entries: ReadonlyMap<string, Entry>): void {
  const places = [...entries.values()].map(({ relativeOffsetOfLocalHeader: begin, compressedSize: bytes }) => ({
    begin,
    end: begin + bytes,
  }));
  let last = 0;
  for (const { begin, end } of places.sort((a, b) => a.begin - b.begin)) {
    if (begin < last) throw new ImportError(`${path} is refused: several entries have the same compressed bytes.`);
    last = Math.max(last, end);
  }
}
