/** `npm run test:long` sets this. Then tests of faults repeat them as often as before a release. */
const IS_LONG = process.env.HEDDLE_TEST_LONG === '1';

/** How often a test repeats a fault: in the gate, or in a long run. Random faults need many repetitions to find a rare error. */
export function timesOf(counts: { readonly gate: number; readonly long: number }): number {
  return IS_LONG ? counts.long : counts.gate;
}
