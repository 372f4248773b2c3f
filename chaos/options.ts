import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run chaos -- [--minutes N] [--seed N]

Runs a cluster on this machine, causes random faults, and checks what clients saw. It needs Linux, root, Debian's postgresql and Caddy.

  --minutes N   how long faults happen (default: 2)
  --seed N      the seed of the faults and of the clients (default: a random one)`;

export interface Options {
  readonly minutes: number;
  readonly seed: number;
}

const DEFAULT_MINUTES = 2;
const MAX_MINUTES = 24 * 60;
const MAX_SEED_VALUE = 2 ** 31;

/** Undefined if the arguments are wrong. */
export function chaosOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { minutes: { type: 'string' }, seed: { type: 'string' } },
    });
    const minutes = values.minutes === undefined ? DEFAULT_MINUTES : Number(values.minutes);
    const seed = values.seed === undefined ? Math.floor(Math.random() * MAX_SEED_VALUE) : Number(values.seed);
    const isValid =
      minutes > 0 && minutes <= MAX_MINUTES && Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED_VALUE;
    return isValid ? { minutes, seed } : undefined;
  } catch {
    return undefined;
  }
}
