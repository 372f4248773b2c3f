import { CommandError, defineCommand, UsageError } from './command.ts';
import { table } from './output.ts';
import { withApp } from './with-app.ts';

/** The list shows the latest ones. */
const mostShown = 100;

const id = { value: 'ID', help: 'The job, as `job failed` lists it', required: true } as const;

export const failedJobsCommand = defineCommand({
  name: 'job failed',
  summary: 'List the jobs that have failed and are not retried, the latest first',
  details: `It shows at most ${mostShown}. The server keeps them until you retry or drop them.`,
  options: {},
  run: (_values, context) =>
    withApp(context, async ({ db }) => {
      const { failedJobs } = await import('../jobs/failed.ts');
      const failed = await failedJobs(db, mostShown);
      const rows = failed.map(({ id, organizationId, kind, attempts, addedAt, failedAt, reason }) => ({
        id,
        organization_id: organizationId,
        kind,
        attempts,
        added_at: addedAt.toISOString(),
        failed_at: failedAt.toISOString(),
        reason,
      }));
      const lines = rows.map((row) => {
        const organization = row.organization_id === null ? '' : String(row.organization_id);
        return [String(row.id), organization, row.kind, String(row.attempts), row.failed_at, row.reason];
      });
      return { text: table(['ID', 'ORGANIZATION', 'KIND', 'ATTEMPTS', 'FAILED', 'REASON'], lines), json: rows };
    }),
});

export const retryJobCommand = defineCommand({
  name: 'job retry',
  summary: 'Retry a job that has failed',
  details: 'The job gets all its attempts again. The server starts it within seconds.',
  options: { id },
  run: (values, context) =>
    withApp(context, async ({ db }) => {
      const { retryJob } = await import('../jobs/failed.ts');
      const job = jobId(values.id);
      if (!(await retryJob(db, job))) throw new CommandError(`There is no failed job ${job}.`);
      return { text: `The server will retry job ${job}.`, json: { id: job } };
    }),
});

export const dropJobCommand = defineCommand({
  name: 'job drop',
  summary: 'Delete a job that has failed',
  options: { id },
  run: (values, context) =>
    withApp(context, async ({ db }) => {
      const { dropJob } = await import('../jobs/failed.ts');
      const job = jobId(values.id);
      if (!(await dropJob(db, job))) throw new CommandError(`There is no failed job ${job}.`);
      return { text: `Job ${job} is deleted.`, json: { id: job } };
    }),
});

function jobId(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new UsageError(`--id is ${JSON.stringify(text)}; accepted is a whole number`);
}
