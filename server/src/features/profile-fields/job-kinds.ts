import Type from 'typebox';
import type { JobKind } from '../../jobs/kind.ts';

const payload = Type.Object({ fieldId: Type.Integer() });

/** Removes what is left of a deleted field, a part at a time. */
export const removeFieldKind: JobKind<typeof payload> = {
  name: 'remove-profile-field',
  payload,
  maximumAttempts: 10,
  withinSeconds: 60,
};
