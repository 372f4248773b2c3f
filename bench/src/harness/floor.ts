import { fileURLToPath } from 'node:url';
import type { Address } from './http-connection.ts';
import { type Program, profiling, startProgram } from './programs.ts';

export interface Server {
  readonly address: Address;
  readonly program: Program;
}

/** Starts the floor of that name (a file in `floors/`) in a process of its own. */
export async function startFloor(name: string, settings: unknown, deadline = 60): Promise<Server> {
  const program = await startProgram({
    command: 'scripts/node',
    arguments: [
      ...profiling(`floor-${name}`),
      fileURLToPath(new URL(`../floors/${name}.ts`, import.meta.url)),
      JSON.stringify(settings),
    ],
    ready: /^Floor is listening on http:\/\/([\d.]+):(\d+)/,
    readyWithinSeconds: deadline,
  });
  return { address: addressIn(program.ready), program };
}

/** The address that a ready line's first two groups hold. */
export function addressIn(ready: RegExpMatchArray): Address {
  const [, host, port] = ready;
  if (host === undefined || port === undefined) throw new Error(`no address in ${ready[0]}`);
  return { host, port: Number(port) };
}
