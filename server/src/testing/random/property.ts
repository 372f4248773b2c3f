/** fast-check for property tests. It prints the seed of a failure, and `HEDDLE_TEST_SEED` repeats that. */
import fc from 'fast-check';
import { GIVEN_SEED } from './random.ts';

if (GIVEN_SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: GIVEN_SEED });

export { fc };
