import { CommandError, defineCommand, UsageError } from './command.ts';
import { table } from './output.ts';
import { withRooms } from './rooms.ts';

/** More than anybody reads; the latest are shown. */
const mostShown = 100;

const id = { value: 'ID', help: 'The job, as `job failed` lists it', required: true } as const;

export const failedJobsCommand = defineCommand({
  name: 'job failed',
  summary: 'List the jobs that failed for good, the latest first',
  details: `At most ${mostShown}. They are kept until they are tried again or dropped.`,
  options: {},
  run: (_values, context) =>
    withRooms(context, async ({ db }) => {
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
  summary: 'Try a job again that failed for good',
  details: 'It has all its attempts again. The server finds it within seconds.',
  options: { id },
  run: (values, context) =>
    withRooms(context, async ({ db }) => {
      const { retryJob } = await import('../jobs/failed.ts');
      const job = jobId(values.id);
      if (!(await retryJob(db, job))) throw new CommandError(`No job ${job} has failed`);
      return { text: `Job ${job} is tried again`, json: { id: job } };
    }),
});

export const dropJobCommand = defineCommand({
  name: 'job drop',
  summary: 'Forget a job that failed for good',
  options: { id },
  run: (values, context) =>
    withRooms(context, async ({ db }) => {
      const { dropJob } = await import('../jobs/failed.ts');
      const job = jobId(values.id);
      if (!(await dropJob(db, job))) throw new CommandError(`No job ${job} has failed`);
      return { text: `Job ${job} is dropped`, json: { id: job } };
    }),
});

function jobId(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new UsageError(`--id is ${JSON.stringify(text)}; accepted is a whole number`);
}
