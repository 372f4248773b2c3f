import { sql } from 'kysely';
import Type from 'typebox';
import type { AppContext } from '../../extension/app-context.ts';
import { type Job, type JobKind, job } from '../../jobs/kind.ts';
import { deleteExpired } from './expiring.ts';

const payload = Type.Object({});

/** A message is deleted within about ten minutes of its time. If there are very many, the next runs delete the rest. */
const kind: JobKind<typeof payload> = {
  name: 'delete-expired',
  payload,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 600,
};

/** The time in which one run starts commits, in milliseconds. */
const RUN_TIME_LIMIT_MS = 200_000;

export function retentionJobs(app: Pick<AppContext, 'db' | 'organizations'>): readonly Job[] {
  return [
    job(kind, async ({ db, signal }) => {
      const { rows } = await sql<{ at: Date }>`SELECT now() AS at`.execute(db);
      const [now] = rows;
      if (now === undefined) throw new Error('the database does not tell the time');
      await deleteExpired(app, {
        at: now.at,
        signal: AbortSignal.any([signal, AbortSignal.timeout(RUN_TIME_LIMIT_MS)]),
      });
    }),
  ];
}
