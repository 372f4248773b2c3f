/** Exports and imports of organizations, as the command line makes them. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { features } from '../../all-features.ts';
import { buildArchive } from '../../features/data-export/building.ts';
import type { ExportedOrganization } from '../../features/data-export/queries.ts';
import { openZip } from '../../import/archives/zip-files.ts';
import { readHeddleArchive } from '../../import/heddle/heddle-source.ts';
import { type Imported, type ImportOptions, importInto } from '../../import/importing.ts';
import { ImportReport } from '../../import/report.ts';
import type { ImportSource } from '../../import/source.ts';
import type { TestServer } from './server.ts';

/** A directory for the archives of a test file. */
export async function archiveDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'heddle-archives-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Writes the archive of the organization at the subdomain. */
export async function exportTo(
  { app }: TestServer,
  path: string,
  subdomain = '',
  type: ExportedOrganization['type'] = 'everything',
): Promise<void> {
  const organization = await app.organizations.bySubdomain(subdomain);
  if (organization === undefined) throw new Error(`there is no organization at '${subdomain}'`);
  await buildArchive(
    app,
    features.flatMap(({ exports = [] }) => exports),
    {
      row: { id: 0, organization_id: organization.id, type, requested_at: new Date() },
      key: '',
      signal: new AbortController().signal,
      log: app.log,
      target: { put: (_: string, content: Readable) => pipeline(content, createWriteStream(path)) },
    },
  );
}

/** Imports from any source. */
export function importFrom(
  { app, shared }: TestServer,
  source: ImportSource,
  subdomain: string,
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  return importInto({ ...app, connection: { connectionString: shared.url } }, source, {
    subdomain,
    report: new ImportReport(),
    progress: () => undefined,
    signal: new AbortController().signal,
    ...options,
  });
}

/** Imports an archive of Heddle. */
export async function importArchive(
  server: TestServer,
  path: string,
  subdomain: string,
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  const archive = await openZip(path);
  try {
    return await importFrom(server, await readHeddleArchive(archive), subdomain, options);
  } finally {
    await archive.close();
  }
}
