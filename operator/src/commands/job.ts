import { CommandError, defineCommand, UsageError } from './command.ts';
import { listing } from './output.ts';
import { withApp } from './with-app.ts';

const MAX_LISTED_JOBS = 100;

const id = { value: 'ID', help: 'The job, as `job failed` lists it', required: true } as const;

const failed = defineCommand({
  name: 'job failed',
  summary: 'List the jobs that have failed and are not retried, the latest first',
  details: `The list has at most ${MAX_LISTED_JOBS}. The server keeps them until you retry or drop them.`,
  options: {},
  run: (_values, context) =>
    withApp(context, async ({ db }) => {
      const { failedJobs } = await import('@heddle/server/jobs/failed.ts');
      const jobs = await failedJobs(db, MAX_LISTED_JOBS);
      const rows = jobs.map(({ id, organizationId, kind, attempts, addedAt, failedAt, reason }) => ({
        id,
        organization_id: organizationId,
        kind,
        attempts,
        added_at: addedAt.toISOString(),
        failed_at: failedAt.toISOString(),
        reason,
      }));
      return listing(rows, {
        ID: ({ id }) => String(id),
        ORGANIZATION: (row) => String(row.organization_id ?? ''),
        KIND: ({ kind }) => kind,
        ATTEMPTS: ({ attempts }) => String(attempts),
        FAILED: (row) => row.failed_at,
        REASON: ({ reason }) => reason,
      });
    }),
});

const retry = defineCommand({
  name: 'job retry',
  summary: 'Retry a job that has failed',
  details: 'The job gets all its attempts again. The server starts it within seconds.',
  options: { id },
  run: (values, context) =>
    withApp(context, async ({ db }) => {
      const { retryJob } = await import('@heddle/server/jobs/failed.ts');
      const job = jobId(values.id);
      if (!(await retryJob(db, job))) throw new CommandError(`There is no failed job ${job}.`);
      return { text: `The server will retry job ${job}.`, json: { id: job } };
    }),
});

const drop = defineCommand({
  name: 'job drop',
  summary: 'Delete a job that has failed',
  options: { id },
  run: (values, context) =>
    withApp(context, async ({ db }) => {
      const { dropJob } = await import('@heddle/server/jobs/failed.ts');
      const job = jobId(values.id);
      if (!(await dropJob(db, job))) throw new CommandError(`There is no failed job ${job}.`);
      return { text: `Job ${job} is deleted.`, json: { id: job } };
    }),
});

function jobId(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new UsageError(`--id must be a whole number, but it is ${JSON.stringify(text)}.`);
}

export const jobCommands = [failed, retry, drop];
