/** Heddle's own archive (docs/export-format.md) as the source of an import. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { EXPORT_FORMAT_VERSION, type Manifest } from '@heddle/server/features/data-export/manifest.ts';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import { isObject, readJson, readJsonLines } from '../json.ts';
import { ImportError, type ImportSource, type SourceFile, type SourceRow } from '../source.ts';

interface Listed {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** @throws ImportError the archive has no valid manifest */
export async function readHeddleArchive(archive: ArchiveFiles): Promise<ImportSource> {
  const manifest = await readManifest(archive);
  const listed = new Map([...manifest.tables, ...manifest.files].map((one) => [one.path, one]));
  const rowsOf = new Map(manifest.tables.map(({ path, rows }) => [path, rows]));
  const tables = manifest.tables.map(({ path }) => path.replace(/\.jsonl$/, ''));
  if (tables[0] !== 'organizations')
    throw new ImportError('The archive is not valid: the manifest does not begin with organizations.jsonl.');
  return {
    fingerprint: createHash('sha256').update(JSON.stringify(manifest)).digest('hex'),
    lastEventId: manifest.last_event_id,
    lastMessageId: manifest.last_message_id,
    tables,
    countOf: (table) => rowsOf.get(`${table}.jsonl`),
    rows: (table, after = 0) => readRows(archive, listed, { path: `${table}.jsonl`, after }),
    file: (row) => openFile(archive, listed, `uploads/${row.id}`),
  };
}

async function readManifest(archive: ArchiveFiles): Promise<Manifest> {
  if (!archive.files.has('manifest.json')) {
    throw new ImportError(
      'The archive has no manifest.json. It is not an export of Heddle, or the export did not end.',
    );
  }
  const manifest = await readJson(await archive.open('manifest.json'), 'manifest.json');
  if (!isManifest(manifest))
    throw new ImportError('The archive is not valid: manifest.json does not have the expected fields.');
  if (manifest.format > EXPORT_FORMAT_VERSION)
    throw new ImportError(
      `The archive has format ${manifest.format}, but this server knows ${EXPORT_FORMAT_VERSION}. Install a newer version.`,
    );
  return manifest;
}

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value)) return false;
  const { format, tables, files, last_event_id: event, last_message_id: message } = value;
  return (
    typeof format === 'number' &&
    [event, message].every((id) => Number.isSafeInteger(id) && Number(id) >= 0) &&
    Array.isArray(tables) &&
    tables.every((one) => isListed(one) && Number.isSafeInteger(one.rows)) &&
    Array.isArray(files) &&
    files.every(isListed)
  );
}

function isListed(value: unknown): value is Listed & Record<string, unknown> {
  return (
    isObject(value) &&
    typeof value.path === 'string' &&
    typeof value.sha256 === 'string' &&
    Number.isSafeInteger(value.bytes)
  );
}

/** Rows of one table. After the last one, the content is compared with the checksum of the manifest. */
async function* readRows(
  archive: ArchiveFiles,
  listed: ReadonlyMap<string, Listed>,
  { path, after }: { readonly path: string; readonly after: number },
): AsyncGenerator<SourceRow> {
  const content = async () => checked(await archive.open(path), path, listed.get(path));
  let count = 0;
  try {
    for await (const row of readJsonLines(await content(), path)) {
      count += 1;
      if (count <= after) continue;
      if (!isObject(row)) throw new ImportError(`The archive is not valid: ${path} has a line that is not an object.`);
      yield row;
    }
  } catch (error) {
    // Damage can make lines invalid. The checksum needs the whole content, so this reads it again.
    for await (const _ of await content());
    throw error;
  }
}

async function openFile(
  archive: ArchiveFiles,
  listed: ReadonlyMap<string, Listed>,
  path: string,
): Promise<SourceFile | undefined> {
  const bytes = archive.files.get(path);
  const entry = listed.get(path);
  if (bytes === undefined || entry === undefined) return undefined;
  const content = Readable.from(checked(await archive.open(path), path, entry));
  return { bytes, content };
}

async function* checked(content: Readable, path: string, listed: Listed | undefined): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== listed?.sha256)
    throw new ImportError(`The archive is damaged: ${path} differs from its checksum in the manifest.`);
}
