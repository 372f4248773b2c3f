import Type from 'typebox';
import type { LongJobKind } from '../../../jobs/kind.ts';

const nothing = Type.Object({});

/** Runs the import of an organization in a process of its own. The row of the import has everything else. */
export const runImport: LongJobKind<typeof nothing> = {
  name: 'run-organization-import',
  payload: nothing,
  // A restart of the server counts as an attempt. The row counts failures of the import itself.
  maximumAttempts: 100,
  withinSeconds: 86_400,
  isLong: true,
  atOnce: 1,
};
