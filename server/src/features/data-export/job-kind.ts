import Type from 'typebox';
import type { JobKind } from '../../jobs/kind.ts';

const payload = Type.Object({ exportId: Type.Integer() });

/** After this many attempts, the export has failed. */
export const MAX_ATTEMPTS = 4;

/**
 * Makes the archive of an export. Its transaction locks nothing but the row of the job, so it can take long. The snapshot is in a
 * transaction of its own.
 */
export const buildExport: JobKind<typeof payload> = {
  name: 'build-data-export',
  payload,
  // The last attempts only record that the export has failed, because a killed process cannot do that itself.
  maximumAttempts: 2 * MAX_ATTEMPTS,
  withinSeconds: 3600,
  // An export keeps a background connection and a processor busy.
  atOnce: 1,
};
