/** An archive of another program as the source of an import. */
import { join } from 'node:path';
import type { ArchiveFiles } from './archives/archive-files.ts';
import { openArchive } from './archives/open-archive.ts';
import type { BlobStore } from './conversion/blob-store.ts';
import { type Converting, convertArchive } from './conversion/converted-source.ts';
import type { NeutralArchive } from './conversion/neutral-archive.ts';
import type { RowStore } from './conversion/row-store.ts';
import { Staging } from './conversion/staging.ts';
import type { ImportReport } from './report.ts';
import type { ImportSession } from './session-type.ts';
import type { ImportSource } from './source.ts';

/** Reads the form of a program's archive. */
export type ArchiveReader = (
  archive: ArchiveFiles,
  report: ImportReport,
  rows: RowStore,
  blobs: BlobStore,
) => Promise<NeutralArchive>;

export interface OpenedSource {
  readonly source: ImportSource;
  close(): Promise<void>;
}

/**
 * Reads an archive. `progress` can throw to stop. A temporary database in the directory of the session sorts its content.
 * @throws ImportError
 */
export async function openForeign(
  path: string,
  read: ArchiveReader,
  { workDirectory }: Pick<ImportSession, 'workDirectory'>,
  converting: Omit<Converting, 'staging'>,
): Promise<OpenedSource> {
  const { progress } = converting;
  const archive = await openArchive(path, workDirectory, (files) => progress(`Unpacked ${files} files`));
  try {
    const staging = new Staging(join(workDirectory, 'staging.sqlite'), (rows) => progress(`Read ${rows} rows`));
    const close = async () => {
      staging.close();
      await archive.close();
    };
    try {
      const neutral = await read(archive, converting.report, staging.rows, staging.blobs);
      return { source: await convertArchive(neutral, { ...converting, staging }), close };
    } catch (error) {
      staging.close();
      throw error;
    }
  } catch (error) {
    await archive.close();
    throw error;
  }
}
