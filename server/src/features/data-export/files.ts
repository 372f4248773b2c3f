/** Copies the files that rows name into the archive. */

import { sql } from 'kysely';
import type { AppContext } from '../../extension/app-context.ts';
import type { ExportedTable } from '../../extension/exports.ts';
import { isMissing, type Storage } from '../../storage/storage.ts';
import type { Archive, ArchivedFile } from './archive.ts';

const KEYS_AT_ONCE = 500;

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

interface Copied {
  readonly files: ArchivedFile[];
  readonly missing: string[];
}

export async function copyFiles(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  organizationId: number,
  { named, archive, report }: Copying,
): Promise<Copied> {
  const copied: Copied = { files: [], missing: [] };
  for (const { table, files, ids } of named) {
    for (let begin = 0; begin < ids.length; begin += KEYS_AT_ONCE) {
      const some = ids.slice(begin, begin + KEYS_AT_ONCE);
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
    if (content === undefined) copied.missing.push(path);
    else copied.files.push(await archive.add(path, content, { isCompressed: false }));
  }
}

/** Undefined if the storage has lost the file. */
async function contentOf(storage: Storage, key: string, size: number): Promise<AsyncIterable<Buffer> | undefined> {
  if (size === 0) return nothing();
  try {
    return await storage.get(key, { start: 0, end: size - 1 });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}
