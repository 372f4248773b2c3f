/** Stores the files of rows of `attachments`. */
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '@heddle/server/db/schema.ts';
import { expectKeys } from '@heddle/server/storage/leftovers.ts';
import type { Storage } from '@heddle/server/storage/storage.ts';
import { LIMITS } from './limits.ts';
import type { ImportReport } from './report.ts';
import { ImportError, type ImportSource, type SourceRow } from './source.ts';

interface Storing {
  readonly db: Db;
  readonly storage: Storage;
  readonly source: ImportSource;
  readonly report: ImportReport;
}

/**
 * Stores the files under the keys of the rows, and returns the keys. The keys are recorded first, so that the server finds what a killed
 * import leaves behind. A row without a file stays: messages that link to it then say that the file is lost.
 */
export async function storeFiles(
  { db, storage, source, report }: Storing,
  rows: readonly { readonly original: SourceRow; readonly adapted: SourceRow }[],
): Promise<readonly string[]> {
  const keys = rows.map(({ adapted }) => String(adapted.storage_key));
  await expectKeys(db, keys);
  for (const { original, adapted } of rows) {
    const file = await source.file(original);
    const name = String(original.name);
    if (file === undefined) {
      report.skip('Files that the archive does not have', name);
      continue;
    }
    if (file.bytes !== original.size) {
      file.content.destroy();
      throw new ImportError(`The file ${name} has ${file.bytes} bytes, but its row says ${original.size}.`);
    }
    const measured = measuring(name, file.bytes);
    const [stored] = await Promise.allSettled([
      storage.put(String(adapted.storage_key), measured),
      pipeline(file.content, measured),
    ]);
    if (measured.errored) throw measured.errored;
    if (stored.status === 'rejected') throw stored.reason;
  }
  return keys;
}

/** Passes a file on, and fails if its size is not the expected one. */
function measuring(name: string, expected: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > expected || bytes > LIMITS.fileBytes)
        done(new ImportError(`The file ${name} is larger than it should be.`));
      else done(null, chunk);
    },
    flush(done) {
      done(bytes === expected ? null : new ImportError(`The file ${name} has ${bytes} of ${expected} bytes.`));
    },
  });
}
