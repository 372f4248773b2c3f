/**
 * The command line in the process of the test: `main.ts` without a process of its own. A process costs one to two seconds of computing.
 * Tests of killed or paused processes use `testing/faults/heddle-process.ts` instead.
 */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { allCommands } from '@heddle/operator/commands/all-commands.ts';
import { runCommandLine } from '@heddle/operator/commands/command-line.ts';
import type { HostProcess } from '../../lifecycle.ts';

type Environment = Readonly<Record<string, string>>;

/** The result of a command that has ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A running command. */
export interface RunningCommand {
  /** Standard error. */
  readonly err: PassThrough;
  readonly out: PassThrough;
  readonly ended: Promise<Ended>;
  /** Sends a signal to the command. */
  signal(name: NodeJS.Signals): void;
}

/** Runs `heddle <args>` to its end, with only the necessary variables of this process's environment. */
export function runCommand(args: readonly string[], environment: Environment, input = ''): Promise<Ended> {
  return beginCommand(args, environment, input).ended;
}

/** Starts `heddle <args>`, so that a test can send it a signal. */
export function beginCommand(args: readonly string[], environment: Environment, input = ''): RunningCommand {
  const [out, err, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const texts = { out: '', err: '' };
  for (const name of ['out', 'err'] as const) {
    ({ out, err })[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  }
  const host = new SimulatedProcess();
  const { PATH = '', HOME = '' } = process.env;
  const own = { PATH, HOME, HEDDLE_WORKERS: '1' };
  const terminal = { out, err, input: stdin, environment: { ...own, ...environment }, host };
  const code = Promise.race([runCommandLine(allCommands, args, terminal), host.exited]);
  return {
    out,
    err,
    ended: code.then((ended) => ({ code: ended, ...texts })),
    signal: (name) => host.emit(name, name),
  };
}

/** A running `heddle serve`. */
export interface ServeCommand {
  /** The URL that the server prints. */
  readonly url: string;
  /** The lines printed before that. */
  readonly output: readonly string[];
  /** Its log. */
  readonly err: PassThrough;
  /** Sends the signal, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/**
 * Starts `heddle serve` on a free port, and waits until it listens. The embedded PostgreSQL needs a process of its own, because the lock of
 * its data directory belongs to a process.
 */
export async function startServe(environment: Environment): Promise<ServeCommand> {
  assert(environment.HEDDLE_DATABASE_URL !== undefined, 'a server in this process needs a database');
  const { out, err, ended, signal } = beginCommand(['serve'], { HEDDLE_PORT: '0', ...environment });
  const output: string[] = [];
  const url = new Promise<string>((resolve) => {
    createInterface(out).on('line', (line) => {
      const [, found] = /^Heddle is listening on (\S+)/.exec(line) ?? [];
      if (found === undefined) output.push(line);
      else resolve(found);
    });
  });
  const endedEarly = ended.then((result) => {
    throw new Error(`heddle serve ended with code ${result.code} before it listened\n${result.out}${result.err}`);
  });
  const stop = (name: NodeJS.Signals = 'SIGTERM') => {
    signal(name);
    return ended;
  };
  return { url: await Promise.race([url, endedEarly]), output, err, stop };
}

/** The signals and the exit of one command. Uncaught errors reach the test runner instead. */
class SimulatedProcess extends EventEmitter implements HostProcess {
  readonly #exited = Promise.withResolvers<number>();

  get exited(): Promise<number> {
    return this.#exited.promise;
  }

  exit(code: number): void {
    this.#exited.resolve(code);
  }
}
