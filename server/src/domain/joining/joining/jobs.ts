import Type from 'typebox';
import { type Job, type JobKind, job } from '../../../jobs/kind.ts';
import { deleteOldLinks } from '../../texts/shared/mailed-links.ts';

const payload = Type.Object({});

const kind: JobKind<typeof payload> = {
  name: 'collect-address-confirmations',
  payload,
  maximumAttempts: 1,
  withinSeconds: 60,
  everySeconds: 3600,
};

/** For a week, the page can say why a link no longer works. */
const KEPT_DAYS = 7;

export function joiningJobs(): readonly Job[] {
  return [job(kind, ({ db }) => deleteOldLinks(db, 'address_confirmations', KEPT_DAYS))];
}
