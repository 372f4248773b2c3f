/** An archive as its program wrote it, although somebody has unpacked it and packed it again. */
import { ImportError } from '../source.ts';
import type { ArchiveFiles } from './archive-files.ts';

/** What file managers add. */
const OF_FILE_MANAGERS = /(?:^|\/)(?:__MACOSX\/.*|\.DS_Store)$/;
/** The same, which could also be a file that a user has sent. */
const OUTSIDE = /^(?:Thumbs\.db|desktop\.ini|\._.*)$/i;

/**
 * Without the files that file managers add, and without a folder around everything. Some systems write the letter `ö` as two characters, so
 * paths are compared in the form NFC.
 * @throws ImportError two paths differ in their form only
 */
export function tidied(archive: ArchiveFiles, path: string): ArchiveFiles {
  const kept = [...archive.files.keys()].filter((one) => !isJunk(one, archive.files));
  const ignored = archive.ignored.filter((one) => !isJunk(one, archive.files));
  const root = rootOf([...kept, ...ignored]);
  const files = new Paths();
  const originals = new Map<string, string>();
  for (const original of kept) {
    if (!original.startsWith(root)) continue;
    const name = original.slice(root.length).normalize('NFC');
    if (files.has(name)) throw new ImportError(`${path} has ${JSON.stringify(name.slice(0, 200))} twice.`);
    files.set(name, archive.files.get(original) ?? 0);
    if (root + name !== original) originals.set(name, original);
  }
  return {
    files,
    ignored: ignored.map((one) => (one.startsWith(root) ? one.slice(root.length) : one)),
    open: (asked) => {
      const name = asked.normalize('NFC');
      return archive.open(originals.get(name) ?? root + name);
    },
    close: () => archive.close(),
  };
}

/** Bytes by path, whatever the form of the path is. */
class Paths extends Map<string, number> {
  override get(path: string): number | undefined {
    return super.get(path.normalize('NFC'));
  }

  override has(path: string): boolean {
    return super.has(path.normalize('NFC'));
  }
}

/** `._name` has what macOS knows about the file `name`. */
function isJunk(path: string, files: ReadonlyMap<string, number>): boolean {
  if (OF_FILE_MANAGERS.test(path)) return true;
  const named = path.replace(/(^|\/)\._([^/]+)$/, '$1$2');
  return named !== path && files.has(named);
}

/** The folders around everything; '' if there are none. */
function rootOf(paths: readonly string[]): string {
  let root = '';
  for (;;) {
    const inside = paths.filter((path) => path.startsWith(root) && !OUTSIDE.test(path.slice(root.length)));
    const [first = ''] = inside;
    const folder = first.slice(0, first.indexOf('/', root.length) + 1);
    if (folder.length <= root.length || !inside.every((path) => path.startsWith(folder))) return root;
    root = folder;
  }
}
