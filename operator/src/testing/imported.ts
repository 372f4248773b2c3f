/** Exports and imports of organizations, as the command line makes them. */

import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { features } from '@heddle/server/all-features.ts';
import { apiKeyFor } from '@heddle/server/domain/credentials/api-keys.ts';
import { Archive } from '@heddle/server/features/data-export/archive.ts';
import { buildArchive } from '@heddle/server/features/data-export/building.ts';
import type { ExportedOrganization } from '@heddle/server/features/data-export/queries.ts';
import { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { TestServer } from '@heddle/server/testing/server/server.ts';
import { openArchive } from '../import/archives/open-archive.ts';
import { type ArchiveReader, openForeign } from '../import/foreign.ts';
import { readHeddleArchive } from '../import/heddle/heddle-source.ts';
import { type Imported, type ImportOptions, importInto } from '../import/importing.ts';
import { ImportReport } from '../import/report.ts';
import { withImportSession } from '../import/session.ts';
import type { ImportSession } from '../import/session-type.ts';
import type { ImportSource } from '../import/source.ts';

/** Writes a zip archive with these entries. */
export async function writeZip(path: string, entries: Iterable<readonly [string, string | Uint8Array]>): Promise<void> {
  const target = { put: (_: string, content: Readable) => pipeline(content, createWriteStream(path)) };
  await Archive.store(target, '', new AbortController().signal, async (archive) => {
    for (const [name, content] of entries) await archive.add(name, Readable.from([Buffer.from(content)]));
  });
}

/** Imports the archive of another program, as the command does. */
export async function importForeign(
  server: TestServer,
  path: string,
  read: ArchiveReader,
  options: Partial<ImportOptions> & { readonly subdomain: string },
): Promise<Imported> {
  const { app } = server;
  const report = options.report ?? new ImportReport();
  return await withSession(server, options.subdomain, async (session) => {
    const { source, close } = await openForeign(path, read, session, {
      program: 'Test',
      secret: app.secret,
      organizationUrl: app.address.of(options.subdomain),
      imagePreviews: app.config.imagePreviews,
      report,
      progress: () => undefined,
    });
    return await importInto(app, session, source, { ...DEFAULTS(), ...options, report }).finally(close);
  });
}

const DEFAULTS = (): ImportOptions => ({
  report: new ImportReport(),
  progress: () => undefined,
  signal: new AbortController().signal,
});

function withSession<Result>(
  { app, shared }: TestServer,
  subdomain: string,
  run: (session: ImportSession) => Promise<Result>,
): Promise<Result> {
  return withImportSession({ config: app.config, connection: { connectionString: shared.url } }, { subdomain }, run);
}

/** A client of an imported user, without a password. */
export async function importedClient({ app, url }: TestServer, subdomain: string, email: string): Promise<TestClient> {
  // The process may have cached that the subdomain has none.
  app.bus.publish(0);
  const organization = await app.organizations.bySubdomain(subdomain);
  const user = organization?.directory.userByEmail(email);
  if (organization === undefined || user === undefined) throw new Error(`there is no ${email} at ${subdomain}`);
  const apiKey = apiKeyFor(app.secret, organization.id, user.id, user.apiKeyVersion);
  const host = `${subdomain}.localhost:${new URL(url).port}`;
  return new TestClient({ url, host, email, apiKey, userId: user.id, name: user.fullName });
}

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
  server: TestServer,
  source: ImportSource,
  subdomain: string,
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  return withSession(server, subdomain, (session) =>
    importInto(server.app, session, source, { ...DEFAULTS(), ...options }),
  );
}

/** Imports an archive of Heddle. */
export async function importArchive(
  server: TestServer,
  path: string,
  subdomain: string,
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  return await withSession(server, subdomain, async (session) => {
    const archive = await openArchive(path, session.workDirectory, () => undefined);
    try {
      const source = await readHeddleArchive(archive);
      return await importInto(server.app, session, source, { ...DEFAULTS(), ...options });
    } finally {
      await archive.close();
    }
  });
}
