import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const main = join(import.meta.dirname, '..', '..', '..', '..', 'operator', 'src', 'main.ts');

/**
 * Tests start the same program many times, and compiled code takes half the time. `scripts/node` names a cache that
 * runs share.
 */
const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'heddle-compile-cache') };

type Environment = Readonly<Record<string, string>>;

/** The result of a finished process. */
export interface Finished {
  /** Null if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `heddle <args>` to its end, with only the necessary variables of this process's environment. */
export async function runHeddle(args: readonly string[], environment: Environment, input = ''): Promise<Finished> {
  const child = spawnHeddle(args, environment);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return finished(child);
}

/** Starts `heddle <args>`, so that a test can kill it. */
export function startCommand(args: readonly string[], environment: Environment) {
  const child = spawnHeddle(args, environment);
  child.stdin.end();
  return { child, ended: finished(child) };
}

/** A running `heddle serve`. */
export interface HeddleServer {
  readonly child: ChildProcess;
  /** The URL that the server prints. */
  readonly url: string;
  /** The lines printed before that. */
  readonly output: readonly string[];
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<Finished>;
  /** Sends the signal, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** A `heddle serve` that may not listen yet. */
export interface HeddleStart {
  readonly child: ChildProcess;
  /** Rejects if the process ends before it listens. */
  readonly listening: Promise<HeddleServer>;
  readonly ended: Promise<Finished>;
}

/** Starts `heddle serve` on a free port, and waits until it listens. */
export function startHeddle(environment: Environment, launch?: Launch): Promise<HeddleServer> {
  return beginHeddle(environment, launch).listening;
}

/** How a test starts the program. */
export interface Launch {
  /** Of another release. */
  readonly program?: string;
  /** Runs the program of its arguments, for example in a network namespace. */
  readonly command?: readonly string[];
}

/** Starts `heddle serve` on a free port. */
export function beginHeddle(environment: Environment, launch?: Launch): HeddleStart {
  const child = spawnHeddle(['serve'], { HEDDLE_PORT: '0', ...environment }, launch);
  const ended = finished(child);
  const output: string[] = [];
  const url = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const [, found] = /^Heddle is listening on (\S+)/.exec(line) ?? [];
      if (found === undefined) output.push(line);
      else resolve(found);
    });
  });
  const endedEarly = ended.then(({ code, signal, out, err }) => {
    throw new Error(`heddle serve ended with ${signal ?? `code ${code}`} before it listened\n${out}${err}`);
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  const listening = Promise.race([url, endedEarly]).then((found) => ({ child, url: found, output, ended, stop }));
  return { child, listening, ended };
}

function spawnHeddle(args: readonly string[], environment: Environment, { program = main, command = [] }: Launch = {}) {
  const { PATH = '', HOME = '', TMPDIR, HEDDLE_TIMEOUT_FACTOR } = process.env;
  // Otherwise the number depends on the machine.
  const own = {
    PATH,
    HOME,
    HEDDLE_WORKERS: '1',
    ...(TMPDIR && { TMPDIR }),
    ...(HEDDLE_TIMEOUT_FACTOR && { HEDDLE_TIMEOUT_FACTOR }),
  };
  const [first = '', ...rest] = [...command, process.execPath, program, ...args];
  return spawn(first, rest, { env: { ...own, ...compiled, ...environment }, stdio: 'pipe' });
}

async function finished(child: ReturnType<typeof spawnHeddle>): Promise<Finished> {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, out, err };
}
