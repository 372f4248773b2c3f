import Type from 'typebox';
import type { AppContext } from '../../../extension/app-context.ts';
import { type Job, type JobKind, job } from '../../../jobs/kind.ts';
import { promoteFullMembers, withNewFullMembers } from './full-members.ts';

const payload = Type.Object({});

/** Makes members full members within a minute after their waiting period. */
const kind: JobKind<typeof payload> = {
  name: 'promote-full-members',
  payload,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 60,
};

export function fullMemberJobs({ organizations }: Pick<AppContext, 'organizations'>): readonly Job[] {
  return [
    job(kind, async ({ db, signal }) => {
      for (const id of await withNewFullMembers(db)) {
        if (signal.aborted) return;
        const organization = await organizations.byId(id);
        await organization?.transact('server', 'exclusive', promoteFullMembers);
      }
    }),
  ];
}
