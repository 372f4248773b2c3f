import { sql } from 'kysely';
import type { AppContext } from '../../extension/app-context.ts';
import { type Job, job } from '../../jobs/kind.ts';
import { collectLeftovers } from '../../storage/leftovers.ts';
import { collectFiles, deleteUnlinkedFiles } from './job-kinds.ts';
import { deleteUnlinked } from './unlinked.ts';

export function uploadJobs(app: AppContext): readonly Job[] {
  return [
    job(collectFiles, async ({ db, signal }) => {
      while (!signal.aborted && (await collectLeftovers(db, app.storage)));
    }),
    job(deleteUnlinkedFiles, async ({ db, signal }) => {
      const { rows } = await sql<{ at: Date }>`SELECT now() AS at`.execute(db);
      const [now] = rows;
      if (now !== undefined) await deleteUnlinked(app, { at: now.at, signal });
    }),
  ];
}
