import Type from 'typebox';
import { type Job, type JobKind, job } from '../../jobs/kind.ts';
import { collectConfirmations } from './confirmations.ts';

const payload = Type.Object({});

const kind: JobKind<typeof payload> = {
  name: 'collect-address-confirmations',
  payload,
  maximumAttempts: 1,
  withinSeconds: 60,
  everySeconds: 3600,
};

export function joiningJobs(): readonly Job[] {
  return [job(kind, ({ db }) => collectConfirmations(db))];
}
