import { badRequest } from '@heddle/api/errors.ts';
import type { ImportFormat } from '@heddle/api/objects/organization-import.ts';
import { timeoutOf } from '../../../config/timeout-factor.ts';
import type { Db, DbTransaction } from '../../../db/schema.ts';
import { allow, inRepeatedTransaction } from '../../../db/transaction.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { addJob } from '../../../jobs/adding.ts';
import { dropKeys } from '../../../storage/leftovers.ts';
import { sendPasswordLinks } from '../../accounts/account-security/reset.ts';
import { checkedOrganizationName } from '../../organizations/organizations/names.ts';
import { checkedEmail } from '../../users/users/names.ts';
import { runImport } from './job-kind.ts';
import { findImport } from './queries.ts';
import type { ImportMails, ImportProgress } from './tables.ts';

const WAITING: ImportProgress = { stage: 'waiting', table: null, done: 0, total: null };

export interface Choices {
  readonly format: ImportFormat;
  /** Undefined: the name in the archive. */
  readonly name: string | undefined;
  /** The address of the owner in the archive. Undefined: the current one. */
  readonly email: string | undefined;
}

/**
 * Starts the import of the uploaded archive.
 * @throws ApiError `BAD_REQUEST`
 */
export async function startImport(organization: Organization, caller: UserRecord, choices: Choices): Promise<void> {
  const name = choices.name === undefined ? null : checkedOrganizationName(choices.name);
  const email = choices.email === undefined ? null : checkedEmail(choices.email);
  await organization.transact(caller, 'optimistic', async ({ db }) => {
    const { numUpdatedRows } = await db
      .updateTable('organization_imports')
      .set({
        ...{
          state: 'running',
          user_id: caller.id,
          format: choices.format,
          organization_name: name,
          owner_email: email,
        },
        ...{ progress: WAITING, failures: 0, problem: null },
      })
      .where('organization_id', '=', organization.id)
      .where('state', 'in', ['uploaded', 'failed'])
      .where('storage_key', 'is not', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) {
      const found = await findImport(db, organization.id);
      throw badRequest(
        found === undefined || found.state === 'done' ? 'Upload an archive first.' : 'An import is running.',
      );
    }
    await addJob(db, runImport, { organizationId: organization.id, payload: {}, key: 'import' });
  });
}

/** Cancels the import. If it runs, its process removes what it has imported. Otherwise the archive or the report is deleted at once. */
export async function cancelImport(organization: Organization, caller: UserRecord): Promise<void> {
  await organization.transact(caller, 'optimistic', async ({ db }) => {
    const found = await db
      .selectFrom('organization_imports')
      .select('state')
      .where('organization_id', '=', organization.id)
      .forUpdate()
      .executeTakeFirst();
    if (found?.state === 'running') {
      await db
        .updateTable('organization_imports')
        .set({ state: 'stopping' })
        .where('organization_id', '=', organization.id)
        .execute();
      // The job may wait after a failure.
      await addJob(db, runImport, { organizationId: organization.id, payload: {}, key: 'import' });
    } else if (found !== undefined && found.state !== 'stopping') await forgetImport(db, organization.id);
  });
}

/** Deletes the import and its archive. */
export async function forgetImport(db: Db | DbTransaction, organizationId: number): Promise<void> {
  const rows = await db
    .deleteFrom('organization_imports')
    .where('organization_id', '=', organizationId)
    .returning('storage_key')
    .execute();
  await dropKeys(
    db,
    rows.flatMap(({ storage_key: key }) => key ?? []),
  );
}

/**
 * Records the end of an import whose rows are removed. After a failure the archive stays, so that another attempt with other choices is
 * possible. A cancelled import leaves nothing.
 */
export async function recordFailure(db: Db, organizationId: number, problem: string): Promise<'failed' | 'cancelled'> {
  const { numUpdatedRows } = await db
    .updateTable('organization_imports')
    .set({ state: 'failed', problem, progress: null })
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return 'failed';
  await forgetImport(db, organizationId);
  return 'cancelled';
}

/** @returns whether the import should go on: nobody has cancelled it */
export async function recordProgress(db: Db, organizationId: number, progress: ImportProgress): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organization_imports')
    .set({ progress })
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The transaction waits for the mails of a large organization. */
const SEND_TIMEOUT_MS = timeoutOf(60_000);

/**
 * Sends each imported person a link that sets a password, once. A second request gets the result of the first one. If the process is killed
 * in the middle, a further request sends all of them again.
 * @throws ApiError `BAD_REQUEST`: nothing was imported
 */
export async function sendMails(app: AppContext, organization: Organization, caller: UserRecord): Promise<ImportMails> {
  return await inRepeatedTransaction(app.pool, async (db) => {
    await allow(db, { pause: SEND_TIMEOUT_MS });
    const found = await db
      .selectFrom('organization_imports')
      .select(['state', 'mails'])
      .where('organization_id', '=', organization.id)
      .forUpdate()
      .executeTakeFirst();
    if (found?.state !== 'done') throw badRequest('Nothing was imported.');
    if (found.mails !== null) return found.mails;
    const { sent, skipped } = await sendPasswordLinks(app, organization, 'all', { except: caller.id });
    const mails = { queued: sent, without_address: skipped };
    await db
      .updateTable('organization_imports')
      .set({ mails })
      .where('organization_id', '=', organization.id)
      .execute();
    return mails;
  });
}
