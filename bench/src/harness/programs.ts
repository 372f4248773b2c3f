import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The root of the repository, where `npm start` works. */
export const repository = fileURLToPath(new URL('../../../', import.meta.url));

const running = new Set<ChildProcess>();
const KEPT_CHARACTERS = 4000;

/** A process that the harness started and that printed its ready line. */
export interface Program {
  readonly pid: number;
  /** The match of `ready`. */
  readonly ready: RegExpMatchArray;
  /** The output until the ready line, and the last output after it. */
  output(): string;
  /** Sends SIGTERM to `pid` or the given process and waits. Sends SIGKILL after a timeout. */
  stop(signalled?: number): Promise<void>;
  /** Sends SIGKILL and waits. */
  kill(): Promise<void>;
}

export interface ProgramOptions {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Matched against each line of both outputs until it matches. */
  readonly ready: RegExp;
  readonly readyWithinSeconds?: number;
}

/**
 * Starts a program and waits for its ready line.
 *
 * @throws Error with the output if the program exits or prints no ready line in time
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const child = spawnTracked(options.command, options.arguments, {
    cwd: repository,
    env: { ...inheritedEnvironment(), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let before = '';
  let since = '';
  const output = () => before + since;
  const exit = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  // Child processes can keep the outputs open after the program exits.
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const name = [options.command, ...options.arguments].join(' ');
  const ready = await new Promise<RegExpMatchArray>((resolve, reject) => {
    const seconds = options.readyWithinSeconds ?? 60;
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${name} wasn't ready within ${seconds} s:\n${output()}`));
    }, seconds * 1000);
    child.on('error', reject);
    let found = false;
    const take = (piece: string) => {
      // A busy server can log a lot. From here on, its output must cost almost no time.
      if (found) {
        since = (since + piece).slice(-KEPT_CHARACTERS);
        return;
      }
      before += piece;
      const match = before.slice(0, before.lastIndexOf('\n') + 1).match(multiline(options.ready));
      if (match === null) return;
      found = true;
      clearTimeout(late);
      resolve(match);
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    exit.then((code) => {
      clearTimeout(late);
      reject(new Error(`${name} ended with ${code}:\n${output()}`));
    });
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${name} has no pid`);
  return {
    pid,
    ready,
    output,
    async stop(signalled = pid) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      process.kill(signalled, 'SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await exit;
      clearTimeout(late);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** With BENCH_PROFILE=<directory> a Node process writes a CPU profile to that directory when it stops. */
export function profiling(name: string): readonly string[] {
  const directory = process.env.BENCH_PROFILE;
  if (directory === undefined) return [];
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-name=${name}-\${pid}.cpuprofile`];
}

function multiline(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, 'm');
}

/** The descendants of a process, from `/proc` (Linux only). One that ends meanwhile has none. */
export async function descendants(pid: number): Promise<{ pid: number; command: string }[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = listed.split(' ').filter(Boolean).map(Number);
  const below = await Promise.all(
    children.map(async (child) => {
      const command = (await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
      return [...(await descendants(child)), { pid: child, command }];
    }),
  );
  return below.flat();
}

/** Spawns a child process that ends with this process. */
export function spawnTracked(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options);
  running.add(child);
  child.on('close', () => running.delete(child));
  return child;
}

/** Ends all running processes and waits for them. The harness calls it last after an interrupt. */
export async function stopAll(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      child.kill('SIGTERM');
      return new Promise((resolve) => child.on('close', resolve));
    }),
  );
}

/** The environment without settings that would change the results. */
export function inheritedEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined || name.startsWith('HEDDLE_') || name === 'NODE_OPTIONS' || name.startsWith('NODE_TEST'))
      continue;
    environment[name] = value;
  }
  return environment;
}
