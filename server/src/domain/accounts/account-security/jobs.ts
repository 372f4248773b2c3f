import Type from 'typebox';
import { type Job, type JobKind, job } from '../../../jobs/kind.ts';
import { collectOld } from './links.ts';

const payload = Type.Object({});

const kind: JobKind<typeof payload> = {
  name: 'collect-account-links',
  payload,
  maximumAttempts: 1,
  withinSeconds: 60,
  everySeconds: 3600,
};

export function accountJobs(): readonly Job[] {
  return [job(kind, ({ db }) => collectOld(db))];
}
