import type { AppContext } from '../../../extension/app-context.ts';
import { type Job, type LongJobRun, longJob } from '../../../jobs/kind.ts';
import { recordFailure } from './actions.ts';
import { IMPORT_BUSY_CODE } from './exit-code.ts';
import { runImport } from './job-kind.ts';
import { findImport } from './queries.ts';

/** After its process ended unexpectedly this often, an import has failed. */
const MAX_FAILURES_PER_IMPORT = 3;

export function organizationImportJobs(app: AppContext): readonly Job[] {
  return [longJob(runImport, (run) => runInProcess(app, run))];
}

/**
 * The command records how the import ends: done, failed or cancelled. If its process ends without that, the job runs again, and the import
 * continues where it was.
 */
async function runInProcess(app: AppContext, { organizationId, signal, log }: LongJobRun<unknown>): Promise<void> {
  const { db, program } = app;
  if (organizationId === null || program === undefined) return;
  const begun = await findImport(db, organizationId);
  if (begun?.state !== 'running' && begun?.state !== 'stopping') return;
  if (begun.failures >= MAX_FAILURES_PER_IMPORT) {
    const subdomain = await subdomainOf(app, organizationId);
    if (subdomain !== undefined) await program.run(['import', 'cancel', '--subdomain', subdomain, '--json'], signal);
    signal.throwIfAborted();
    await recordFailure(db, organizationId, 'The import ended unexpectedly. The log of the server says more.');
    return;
  }
  const { code, err } = await program.run(
    ['import', 'uploaded', '--organization', String(organizationId), '--json'],
    signal,
  );
  if (code === 0) return;
  signal.throwIfAborted();
  if (code === IMPORT_BUSY_CODE) throw new Error('an earlier process of the import has not ended');
  await db
    .updateTable('organization_imports')
    .set(({ eb }) => ({ failures: eb('failures', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .execute();
  log.error({ organization: organizationId, code, output: err }, 'the process of an import ended unexpectedly');
  throw new Error('the process of the import ended unexpectedly');
}

async function subdomainOf({ db }: Pick<AppContext, 'db'>, organizationId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select('subdomain')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  return row?.subdomain;
}
