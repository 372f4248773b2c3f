import { sql } from 'kysely';
import type { AppContext } from '../../../extension/app-context.ts';
import { addJob } from '../../../jobs/adding.ts';
import { type Job, job } from '../../../jobs/kind.ts';
import { removeFieldKind } from './job-kinds.ts';

/** Rows per job run. */
const ROWS_PER_RUN = 5000;

export function profileFieldJobs({ jobs }: Pick<AppContext, 'jobs'>): readonly Job[] {
  return [
    job(removeFieldKind, async ({ db, organizationId, payload, afterCommit }) => {
      const { fieldId } = payload;
      const { numAffectedRows } = await sql`
        DELETE FROM profile_values
         WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
                 SELECT ctid FROM profile_values
                  WHERE organization_id = ${organizationId} AND field_id = ${fieldId} LIMIT ${ROWS_PER_RUN}))`.execute(
        db,
      );
      if (Number(numAffectedRows) < ROWS_PER_RUN) {
        await sql`
          DELETE FROM profile_fields
           WHERE organization_id = ${organizationId} AND id = ${fieldId} AND deleted_at IS NOT NULL`.execute(db);
        return;
      }
      await addJob(db, removeFieldKind, { organizationId, payload });
      afterCommit(() => jobs.wake());
    }),
  ];
}
