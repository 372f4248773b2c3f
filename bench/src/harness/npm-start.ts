import { addressIn } from './floor.ts';
import { listening, serveEnvironment } from './heddle-server.ts';
import type { Address } from './http-connection.ts';
import { descendants, startProgram } from './programs.ts';

export interface NpmStarted {
  /** The process of npm. All others are below it. */
  readonly pid: number;
  readonly address: Address;
  stop(): Promise<void>;
}

/**
 * Runs `npm start` on a data directory, which can be empty. Waits until the server listens.
 * @param processes the file `cgroup.procs` of a control group, which npm enters first
 */
export async function npmStart(dataDirectory: string, processes?: string): Promise<NpmStarted> {
  const entering = ['-c', 'echo $$ >"$0" && exec npm start', processes ?? ''];
  const program = await startProgram({
    command: processes === undefined ? 'npm' : 'sh',
    arguments: processes === undefined ? ['start'] : entering,
    environment: serveEnvironment(dataDirectory),
    ready: listening,
  });
  return {
    pid: program.pid,
    address: addressIn(program.ready),
    async stop() {
      // npm forwards a signal to a process that already received it from us. A second signal would stop Heddle immediately.
      const server = (await descendants(program.pid)).find(({ command }) => command.includes('scripts/start.ts'));
      await program.stop(server?.pid);
    },
  };
}
