import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ImportError } from '../source.ts';
import { type ArchiveFiles, EntryCount } from './archive-files.ts';

const FILE_TYPE_MASK = 0o170000;
const REGULAR_FILE_TYPE = 0o100000;
const DIRECTORY_FILE_TYPE = 0o040000;

/**
 * Reads the directory of a zip archive. While an entry is read, `yauzl` checks that it has the size that the directory says.
 * @throws ImportError
 */
export async function openZip(path: string): Promise<ArchiveFiles> {
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw damaged(path, error);
  }
  const entries = new Map<string, Entry>();
  const ignored: string[] = [];
  try {
    await readEntries(zip, path, entries, ignored);
  } catch (error) {
    zip.close();
    throw error instanceof ImportError ? error : damaged(path, error);
  }
  return {
    files: new Map([...entries].map(([name, { uncompressedSize }]) => [name, uncompressedSize])),
    ignored,
    async open(name): Promise<Readable> {
      const entry = entries.get(name);
      if (entry === undefined) throw new ImportError(`The archive has no file ${name}.`);
      try {
        const content = await zip.openReadStreamPromise(entry); // wire name: yauzl's
        return content;
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
    const { fileName, uncompressedSize, compressedSize } = entry;
    count.add(fileName, uncompressedSize, compressedSize);
    if (fileName.endsWith('/')) continue;
    const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK;
    if (type === DIRECTORY_FILE_TYPE) continue;
    // Archives of systems without file types have 0.
    if (type !== 0 && type !== REGULAR_FILE_TYPE) ignored.push(fileName);
    else if (entry.isEncrypted()) throw new ImportError(`${path} is encrypted. Decrypt it first.`);
    else if (entries.has(fileName))
      throw new ImportError(`${path} has ${JSON.stringify(fileName.slice(0, 200))} twice.`);
    else entries.set(fileName, entry);
  }
}

function damaged(path: string, error: unknown): ImportError {
  return new ImportError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}.`);
}
