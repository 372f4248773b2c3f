import { Value } from 'typebox/value';
import { SETTINGS } from './settings.ts';

/** 23 days. Timers of Node.js and timeouts of PostgreSQL can be one day longer, so sums with a short one are possible. */
const MAX_TIMEOUT_MS = 2_000_000_000;

/**
 * How many times longer all timeouts are than on a machine with the usual speed. All timeouts have the same factor, so their order stays.
 * It is read when the code loads, because timeouts are constants. `readConfig` refuses an invalid value, which counts as 1 until then.
 */
export const TIMEOUT_FACTOR: number = factorIn(process.env);

/** A timeout of this many milliseconds at the usual speed, multiplied for this machine. */
export function timeoutOf(milliseconds: number): number {
  return Math.min(milliseconds * TIMEOUT_FACTOR, MAX_TIMEOUT_MS);
}

function factorIn(environment: NodeJS.ProcessEnv): number {
  const { variable, default: fallback, schema } = SETTINGS.timeoutFactor;
  const text = environment[variable] || fallback;
  return Value.Decode(schema, Value.Check(schema, text) ? text : fallback);
}
