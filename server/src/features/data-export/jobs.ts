import type { AppContext } from '../../extension/app-context.ts';
import type { AllFeatures } from '../../extension/feature.ts';
import { HopelessError, type Job, job, type LongJobRun, longJob } from '../../jobs/kind.ts';
import { beginAttempt, completeExport, deleteOldArchives, failExport } from './actions.ts';
import { buildArchive } from './building.ts';
import { buildExport, collectArchives, MAX_ATTEMPTS } from './job-kind.ts';

export function dataExportJobs(app: AppContext, { exports }: AllFeatures): readonly Job[] {
  return [
    longJob(buildExport, async (run) => {
      const organization = run.organizationId === null ? undefined : await app.organizations.byId(run.organizationId);
      if (organization === undefined) throw new HopelessError('there is no such organization');
      const { exportId } = run.payload;
      const attempt = async () => {
        if (run.attempt > MAX_ATTEMPTS) throw new Error('the process ended during every attempt');
        const begun = await beginAttempt(app, organization.id, exportId);
        if (begun === undefined) return;
        const { signal, log } = run;
        const size = await buildArchive(app, exports, { ...begun, signal, log });
        await completeExport(app, organization, { id: exportId, key: begun.key, size });
        log.info({ export: exportId, size }, 'a data export is complete');
      };
      await attempt().catch(async (error: unknown) => {
        if (isRetried(run)) throw error;
        run.log.error({ err: error, export: exportId }, 'a data export failed');
        await failExport(app, organization, exportId);
      });
    }),
    job(collectArchives, ({ signal }) => deleteOldArchives(app, signal)),
  ];
}

/** A process that stops leaves the job to the next one. */
function isRetried({ attempt, signal }: Pick<LongJobRun<unknown>, 'attempt' | 'signal'>): boolean {
  return signal.aborted || attempt < MAX_ATTEMPTS;
}
