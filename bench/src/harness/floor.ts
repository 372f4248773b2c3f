import { fileURLToPath } from 'node:url';
import type { Address } from './http-connection.ts';
import { type Program, profiling, startProgram } from './programs.ts';

export interface Server {
  readonly address: Address;
  readonly program: Program;
}

interface FloorOptions {
  /** Allows the harness to measure the heap (see `memory.ts`). */
  readonly inspected?: boolean;
}

/** Starts the floor with that name (a file in `floors/`) in a separate process. */
export async function startFloor(
  name: string,
  settings: unknown,
  { inspected = false }: FloorOptions = {},
): Promise<Server> {
  const program = await startProgram({
    command: 'scripts/node',
    arguments: [
      ...(inspected ? ['--inspect=127.0.0.1:0'] : []),
      ...profiling(`floor-${name}`),
      fileURLToPath(new URL(`../floors/${name}.ts`, import.meta.url)),
      JSON.stringify(settings),
    ],
    ready: /^Floor is listening on http:\/\/([\d.]+):(\d+)/,
  });
  return { address: addressIn(program.ready), program };
}

/** The address in the first two groups of a ready line. */
export function addressIn(ready: RegExpMatchArray): Address {
  const [, host, port] = ready;
  if (host === undefined || port === undefined) throw new Error(`there is no address in ${ready[0]}`);
  return { host, port: Number(port) };
}
