import { CPU_SLOWDOWN_FACTOR } from './slow-pages.ts';

/** The factor with which the test runner multiplies timeouts on a machine as fast as the one on which the limits were chosen. */
const USUAL_FACTOR = 10;

/** How many times slower pages are: the machine, as the test runner measured it, and their processor. At least 1. */
export const SLOWNESS =
  Math.max(1, Number(process.env.HEDDLE_TIMEOUT_FACTOR ?? USUAL_FACTOR) / USUAL_FACTOR) * CPU_SLOWDOWN_FACTOR;
