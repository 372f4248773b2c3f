import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { ImportError } from '../source.ts';
import { type ArchiveFiles, damaged, EntryCount, explainedContent } from './archive-files.ts';
import { tidied } from './tidied-files.ts';
import { openZip } from './zip-files.ts';

/**
 * Opens a zip archive, a tar archive, a directory, or a single file of a bulk export.
 * @param workDirectory an empty directory of this import, for the content of a tar archive
 * @param unpacked called sometimes while a tar archive is unpacked
 * @throws ImportError
 */
export async function openArchive(
  path: string,
  workDirectory: string,
  unpacked: (files: number) => void,
): Promise<ArchiveFiles> {
  const archive = await openUntidied(path, workDirectory, unpacked);
  try {
    return tidied(archive, path);
  } catch (error) {
    await archive.close();
    throw error;
  }
}

async function openUntidied(
  path: string,
  workDirectory: string,
  unpacked: (files: number) => void,
): Promise<ArchiveFiles> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new ImportError(`Cannot read ${path}: there is no such file or directory.`);
  if (found.isDirectory()) return openDirectory(path);
  if (/\.(?:tar|tar\.gz|tgz)$/i.test(path)) {
    // Few archives are tar archives, so the library is loaded here.
    const { unpackTar } = await import('./tar-files.ts');
    const directory = join(workDirectory, 'unpacked');
    await mkdir(directory);
    return unpackTar(path, directory, unpacked);
  }
  if (/\.jsonl?$/i.test(path)) return openFile(path, found.size);
  return openZip(path);
}

/** A single file, without the files beside it. */
function openFile(path: string, size: number): ArchiveFiles {
  const name = basename(path);
  return {
    files: new Map([[name, size]]),
    ignored: [],
    open: async (asked) => {
      if (asked !== name) throw new ImportError(`The archive has no file ${asked}.`);
      return explainedContent(createReadStream(path), name);
    },
    close: () => Promise.resolve(),
  };
}

/** Symbolic links are not followed, because they could lead to other files of the machine. */
async function openDirectory(root: string): Promise<ArchiveFiles> {
  const files = new Map<string, number>();
  const ignored: string[] = [];
  const count = new EntryCount(root);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw damaged(root, error);
  });
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const full = join(entry.parentPath, entry.name);
    const path = relative(root, full).split(sep).join('/');
    if (!entry.isFile()) ignored.push(path);
    else {
      const { size } = await lstat(full);
      count.add(path, size);
      files.set(path, size);
    }
  }
  return {
    files,
    ignored,
    async open(path) {
      if (!files.has(path)) throw new ImportError(`The archive has no file ${path}.`);
      return explainedContent(createReadStream(join(root, path)), path);
    },
    close: () => Promise.resolve(),
  };
}
