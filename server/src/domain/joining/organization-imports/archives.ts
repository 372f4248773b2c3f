/** Archives that owners upload. The resumable uploads call this. */
import { statfs } from 'node:fs/promises';
import { badRequest, fileTooLarge } from '@heddle/api/errors.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { cleanFileName } from '../../../http/bodies/file-bodies.ts';
import { dropKeys, keepKeys } from '../../../storage/leftovers.ts';
import { checkMayImport } from './rights.ts';
import './tables.ts';

const MIB_BYTES = 1024 * 1024;
/** What stays free beside the archive and its content. */
const MIN_FREE_BYTES = 256 * MIB_BYTES;

type ArchiveContext = Pick<AppContext, 'config' | 'db' | 'program'>;

/**
 * Checks an upload before it begins.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`, `BAD_REQUEST`
 */
export async function checkArchive(
  app: ArchiveContext,
  organization: Organization,
  caller: UserRecord,
  size: number,
): Promise<void> {
  const { maxImportSizeMib, dataDirectory } = app.config;
  await checkMayImport(app, organization, caller);
  if (size > maxImportSizeMib * MIB_BYTES) throw fileTooLarge(maxImportSizeMib);
  const { bavail, bsize } = await statfs(dataDirectory);
  // The import copies the content of the archive.
  const needed = 2 * size + MIN_FREE_BYTES;
  if (bavail * bsize >= needed) return;
  const [needs, has] = [needed, bavail * bsize].map((bytes) => Math.round(bytes / MIB_BYTES));
  throw badRequest(`The import needs ${needs} MiB of free space on the server, which has ${has} MiB.`);
}

/**
 * Keeps a complete archive for the import. It replaces one that was not imported.
 * @throws ApiError `BAD_REQUEST`: an import runs, or the organization is not new any more
 */
export async function keepArchive(
  app: ArchiveContext,
  organization: Organization,
  caller: UserRecord,
  archive: { readonly key: string; readonly size: number; readonly filename: string },
): Promise<void> {
  const { key, size } = archive;
  const filename = cleanFileName(archive.filename);
  await checkMayImport(app, organization, caller);
  await organization.transact(caller, 'optimistic', async ({ db }) => {
    await keepKeys(db, [key]);
    const earlier = await db
      .selectFrom('organization_imports')
      .select(['state', 'storage_key'])
      .where('organization_id', '=', organization.id)
      .forUpdate()
      .executeTakeFirst();
    if (earlier?.state === 'running' || earlier?.state === 'stopping') throw badRequest('An import is running.');
    if (earlier?.storage_key != null) await dropKeys(db, [earlier.storage_key]);
    await db.deleteFrom('organization_imports').where('organization_id', '=', organization.id).execute();
    await db
      .insertInto('organization_imports')
      .values({
        ...{
          organization_id: organization.id,
          user_id: caller.id,
          state: 'uploaded',
          storage_key: key,
          filename,
          size,
        },
        ...{ format: null, organization_name: null, owner_email: null },
        ...{ progress: null, problem: null, report: null, mails: null },
      })
      .execute();
  });
}
