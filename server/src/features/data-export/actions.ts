import { badRequest } from '@heddle/api/errors.ts';
import { ExportType } from '@heddle/api/objects/data-export.ts';
import { sql } from 'kysely';
import { roleSeesAddress } from '../../access/addresses.ts';
import { readValue } from '../../db/prepared.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import { inRepeatedTransaction } from '../../db/transaction.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { selectConsents } from '../../domain/users/user-settings/consents.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { addJob } from '../../jobs/adding.ts';
import { dropKeys, expectKeys, keepKeys } from '../../storage/leftovers.ts';
import { newKey } from '../../storage/storage.ts';
import { exportsEvent } from './events.ts';
import { buildExport } from './job-kind.ts';
import { exceeds } from './limits.ts';
import { presentExport } from './present.ts';
import {
  countInWeek,
  type ExportRow,
  findExport,
  listExports,
  oldArchives,
  organizationsWithOldArchives,
} from './queries.ts';

const MAX_EXPORTS_PER_WEEK = 5;
/** An archive is deleted this many days after it was complete. */
const MAX_ARCHIVE_AGE_DAYS = 30;

type Addressed = Pick<AppContext, 'address'>;

/**
 * Requests an export, notifies the administrators and returns its id.
 * @throws ApiError `BAD_REQUEST`: too many in a week, or no owner could log in to a copy
 */
export async function requestExport(
  app: Addressed,
  change: Change,
  caller: UserRecord,
  type: ExportRow['type'],
): Promise<number> {
  const { db, directory } = change;
  const organizationId = directory.organization.id;
  if ((await countInWeek(db, organizationId)) >= MAX_EXPORTS_PER_WEEK) throw badRequest('Exceeded rate limit.');
  await checkOwnerCanLogIn(change, type);
  const { id } = await db
    .insertInto('data_exports')
    .values({ organization_id: organizationId, acting_user_id: caller.id, type })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addJob(db, buildExport, { organizationId, payload: { exportId: id }, key: String(id) });
  await announce(app, change);
  return id;
}

/**
 * Checks the size of the organization. It may count a million rows, so call it outside of the transaction.
 * @throws ApiError `BAD_REQUEST`
 */
export async function checkSize(db: Db, organizationId: number): Promise<void> {
  if (!(await exceeds(db, organizationId))) return;
  throw badRequest('The organization is too large for an export. Please ask the operators of the server for a copy.');
}

/** An owner must be able to log in to a copy of the organization. So the export must contain the address of one owner. */
async function checkOwnerCanLogIn({ db, directory }: Change, type: ExportRow['type']): Promise<void> {
  const owners = [...directory.users.values()].filter(
    ({ isActive, isBot, role }) => isActive && !isBot && role === Role.owner,
  );
  if (type === ExportType.public) {
    if (owners.some((owner) => roleSeesAddress(Role.member, owner))) return;
    throw badRequest('At least one organization owner must let members see their email address.');
  }
  const consents = await readValue(db, selectConsents(directory.organization.id));
  const agreed = new Set(consents.flatMap(({ user_id, consented }) => (consented ? [user_id] : [])));
  if (owners.some(({ id }) => agreed.has(id))) return;
  throw badRequest('At least one organization owner must allow the export of their private data.');
}

/**
 * Deletes the archive and notifies the administrators. The export stays in the list.
 * @throws ApiError `BAD_REQUEST`: no such export, or it has no archive
 */
export async function deleteArchive(app: Addressed, change: Change, id: number): Promise<void> {
  const { db, directory } = change;
  const row = await findExport(db, directory.organization.id, id);
  if (row === undefined) throw badRequest('Invalid data export ID');
  if (row.deleted_at !== null) throw badRequest('Export already deleted');
  if (row.failed_at !== null) throw badRequest('Export failed, nothing to delete');
  if (row.completed_at === null) throw badRequest('Export still in progress');
  await dropArchive(db, row);
  await announce(app, change);
}

/**
 * Deletes the archives that are too old, and notifies the administrators of each organization.
 * @throws the last failure, after everything else is done
 */
export async function deleteOldArchives(
  app: Pick<AppContext, 'address' | 'db' | 'organizations'>,
  signal: AbortSignal,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  for (const organizationId of await organizationsWithOldArchives(app.db, MAX_ARCHIVE_AGE_DAYS)) {
    if (signal.aborted) break;
    try {
      await deleteOldArchivesOf(app, organizationId);
    } catch (error) {
      failure = { error };
    }
  }
  if (failure !== undefined) throw failure.error;
}

async function deleteOldArchivesOf(
  app: Pick<AppContext, 'address' | 'organizations'>,
  organizationId: number,
): Promise<void> {
  const organization = await app.organizations.byId(organizationId);
  await organization?.transact('server', 'exclusive', async (change) => {
    const old = await oldArchives(change.db, organizationId, MAX_ARCHIVE_AGE_DAYS);
    for (const row of old) await dropArchive(change.db, row);
    if (old.length > 0) await announce(app, change);
  });
}

async function dropArchive(
  db: DbTransaction,
  { organization_id: organizationId, id, storage_key: key }: ExportRow,
): Promise<void> {
  if (key !== null) await dropKeys(db, [key]);
  await sql`
    UPDATE data_exports SET deleted_at = now(), storage_key = NULL, size = NULL
     WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
}

/**
 * Begins an attempt: returns the key under which to store the archive. What an attempt before has left is removed.
 * Returns undefined if the export is over.
 */
export async function beginAttempt(
  { pool }: Pick<AppContext, 'pool'>,
  organizationId: number,
  id: number,
): Promise<{ readonly row: ExportRow; readonly key: string } | undefined> {
  return inRepeatedTransaction(pool, async (transaction) => {
    const row = await findExport(transaction, organizationId, id);
    if (row === undefined || row.completed_at !== null || row.failed_at !== null) return undefined;
    const key = newKey();
    await expectKeys(transaction, [key]);
    if (row.storage_key !== null) await dropKeys(transaction, [row.storage_key]);
    const { rows } = await sql`
      UPDATE data_exports SET storage_key = ${key}
       WHERE organization_id = ${organizationId} AND id = ${id} AND storage_key IS NOT DISTINCT FROM ${row.storage_key}
         AND completed_at IS NULL AND failed_at IS NULL RETURNING id`.execute(transaction);
    if (rows.length === 0) throw new Error('another attempt at this export has begun');
    return { row, key };
  });
}

/** Ends an export with the archive of an attempt, and notifies the administrators. */
export async function completeExport(
  app: Addressed,
  organization: Organization,
  { id, key, size }: { readonly id: number; readonly key: string; readonly size: number },
): Promise<void> {
  await organization.transact('server', 'exclusive', async (change) => {
    const { db } = change;
    const { rows } = await sql`
      UPDATE data_exports SET completed_at = now(), size = ${size}
       WHERE organization_id = ${organization.id} AND id = ${id} AND storage_key = ${key}
         AND completed_at IS NULL AND failed_at IS NULL RETURNING id`.execute(db);
    if (rows.length === 0) throw new Error('another attempt at this export has begun');
    await keepKeys(db, [key]);
    await announce(app, change);
  });
}

/** Ends an export without an archive, and notifies the administrators. */
export async function failExport(app: Addressed, organization: Organization, id: number): Promise<void> {
  await organization.transact('server', 'exclusive', async (change) => {
    const { db } = change;
    const row = await findExport(db, organization.id, id);
    if (row === undefined || row.completed_at !== null || row.failed_at !== null) return;
    if (row.storage_key !== null) await dropKeys(db, [row.storage_key]);
    await sql`
      UPDATE data_exports SET failed_at = now(), storage_key = NULL
       WHERE organization_id = ${organization.id} AND id = ${id}`.execute(db);
    await announce(app, change);
  });
}

async function announce({ address }: Addressed, { db, directory, append }: Change): Promise<void> {
  const { id, subdomain } = directory.organization;
  const rows = await listExports(db, id);
  append(
    exportsEvent(
      directory,
      rows.map((row) => presentExport(row, address.of(subdomain))),
    ),
  );
}
