/** Copies the files that rows name into the archive. */
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { AppContext } from '../../extension/app-context.ts';
import type { ExportedTable } from '../../extension/exports.ts';
import { isMissing, type Storage } from '../../storage/storage.ts';
import type { Archive } from './archive.ts';
import { type ManifestFiles, ManifestList } from './manifest.ts';

const MAX_KEYS_AT_ONCE = 500;

/** The files of a table, by the ids of the exported rows. The ids are all that is kept of them: eight bytes each. */
export interface NamedFiles {
  readonly table: string;
  readonly files: NonNullable<ExportedTable['files']>;
  readonly ids: readonly number[];
}

interface Copying {
  readonly named: readonly NamedFiles[];
  readonly archive: Archive;
  readonly report: (progress: object) => void;
}

export async function copyFiles(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  organizationId: number,
  { named, archive, report }: Copying,
): Promise<ManifestFiles> {
  const copied: ManifestFiles = { files: new ManifestList(), missing: new ManifestList() };
  for (const { table, files, ids } of named) {
    for (let begin = 0; begin < ids.length; begin += MAX_KEYS_AT_ONCE) {
      const some = ids.slice(begin, begin + MAX_KEYS_AT_ONCE);
      const { rows } = await sql<{ id: number; key: string | null; size: number }>`
        SELECT wanted.id, ${sql.ref(`t.${files.key}`)} AS key, ${sql.ref(`t.${files.size}`)} AS size
          FROM unnest(${some}::bigint[]) WITH ORDINALITY AS wanted (id, place)
          LEFT JOIN ${sql.table(table)} t ON t.organization_id = ${organizationId} AND ${sql.ref(`t.${files.name}`)} = wanted.id
         ORDER BY place`.execute(db);
      for (const { id, key, size } of rows) {
        report({ files: copied.files.length });
        await copyFile(`${files.folder}/${id}`, key, size);
      }
    }
  }
  return copied;

  async function copyFile(path: string, key: string | null, size: number): Promise<void> {
    const content = key === null ? undefined : await contentOf(storage, key, size);
    if (content === undefined) return copied.missing.add(path);
    try {
      copied.files.add(await archive.add(path, content, { isCompressed: false }));
    } finally {
      // If the attempt is over, nothing has read it, and it still has a descriptor.
      content.destroy();
    }
  }
}

/** Undefined if the storage has lost the file. */
async function contentOf(storage: Storage, key: string, size: number): Promise<Readable | undefined> {
  if (size === 0) return Readable.from([]);
  try {
    return await storage.get(key, { start: 0, end: size - 1 });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
