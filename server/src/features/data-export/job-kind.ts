import Type from 'typebox';
import type { JobKind, LongJobKind } from '../../jobs/kind.ts';

const payload = Type.Object({ exportId: Type.Integer() });

/** After this many attempts, the export has failed. */
export const MAX_ATTEMPTS = 4;

/** Makes the archive of an export. Its snapshot is in a transaction of its own, which ends before the files are copied. */
export const buildExport: LongJobKind<typeof payload> = {
  name: 'build-data-export',
  payload,
  // The last attempts only record that the export has failed, because a killed process cannot do that itself.
  maximumAttempts: 2 * MAX_ATTEMPTS,
  withinSeconds: 3600,
  isLong: true,
  // An export keeps a background connection and a processor busy.
  atOnce: 1,
};

const nothing = Type.Object({});

/** Deletes old archives, each organization in a transaction of its own. */
export const collectArchives: JobKind<typeof nothing> = {
  name: 'delete-old-archives',
  payload: nothing,
  maximumAttempts: 1,
  withinSeconds: 300,
  everySeconds: 3600,
};
