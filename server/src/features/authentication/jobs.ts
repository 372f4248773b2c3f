import Type from 'typebox';
import { collectAttempts } from '../../domain/credentials/attempt-limits.ts';
import { collectSessions } from '../../domain/credentials/sessions.ts';
import { type Job, type JobKind, job } from '../../jobs/kind.ts';
import { collectDesktopTokens } from './desktop-flow.ts';

const payload = Type.Object({});

const kind: JobKind<typeof payload> = {
  name: 'collect-sessions',
  payload,
  maximumAttempts: 1,
  withinSeconds: 60,
  everySeconds: 3600,
};

export function authenticationJobs(): readonly Job[] {
  return [
    job(kind, async ({ db }) => {
      await collectSessions({ db });
      await collectDesktopTokens({ db });
      await collectAttempts({ db });
    }),
  ];
}
