import { sql } from 'kysely';
import Type from 'typebox';
import { type Job, type JobKind, job } from '../../jobs/kind.ts';
import type { Rooms } from '../rooms.ts';
import { deleteExpired } from './expiring.ts';

const payload = Type.Object({});

/** A message is deleted within some ten minutes of its time; of a great many the rest goes with the next turns. */
const kind: JobKind<typeof payload> = {
  name: 'delete-expired',
  payload,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 600,
};

/** For how long one turn begins commits, in milliseconds: it ends by itself. */
const TURN = 200_000;

export function retentionJobs(rooms: Pick<Rooms, 'db' | 'organizations'>): readonly Job[] {
  return [
    job(kind, async ({ db, signal }) => {
      const { rows } = await sql<{ at: Date }>`SELECT now() AS at`.execute(db);
      const [now] = rows;
      if (now === undefined) throw new Error('the database does not tell the time');
      await deleteExpired(rooms, { at: now.at, signal: AbortSignal.any([signal, AbortSignal.timeout(TURN)]) });
    }),
  ];
}
