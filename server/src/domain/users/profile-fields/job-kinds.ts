import Type from 'typebox';
import type { JobKind } from '../../../jobs/kind.ts';

const payload = Type.Object({ fieldId: Type.Integer() });

/** Deletes the rows of a deleted field in batches. */
export const removeFieldKind: JobKind<typeof payload> = {
  name: 'remove-profile-field',
  payload,
  maximumAttempts: 10,
  withinSeconds: 60,
};
