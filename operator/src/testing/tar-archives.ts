/** Tar archives with any entries, also those that no program would make. */
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';

export interface TarEntry {
  readonly path: string;
  readonly content?: string | Uint8Array;
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'FIFO' | 'CharacterDevice';
  readonly linkpath?: string;
}

const BLOCK = 512;

/** Writes the entries, compressed if the name ends with `gz`. */
export async function writeTar(path: string, entries: readonly TarEntry[]): Promise<void> {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '');
    const { path: name, type = 'File', linkpath } = entry;
    const header = new Header({
      path: name,
      type,
      size: content.length,
      mode: 0o644,
      ...(linkpath !== undefined && { linkpath }),
      mtime: new Date(0),
    });
    header.encode();
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [header.block ?? Buffer.alloc(BLOCK), content, padding];
  });
  const tar = Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
  await writeFile(path, path.endsWith('gz') ? gzipSync(tar) : tar);
}
