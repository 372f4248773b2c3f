import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Binaries } from './binaries.ts';
import { diskFull, EmbeddedPostgresError } from './errors.ts';
import { directoryArgument, type Place, socketPort, spawnOptions } from './place.ts';
import { readLog, rotateLog } from './postgres-log.ts';
import { postgresProcessesIn, postmasterPid, signalProcess, until } from './processes.ts';

/**
 * How PostgreSQL is asked to end. `smart` lets sessions end by themselves, `fast` rolls their transactions back, both write
 * a checkpoint; `immediate` leaves recovery from the log to the next start.
 */
export type StopMode = 'smart' | 'fast' | 'immediate';

const stopSignals: Record<StopMode, NodeJS.Signals> = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' };

const isComplaint = /\b(PANIC|FATAL):|terminated by signal|exited with exit code|No space left on device/;
/** What it tells connections while it starts, recovers or ends says nothing of the cause. */
const isPatience = /database system is|terminating connection/;

/** One run of the `postgres` program. */
export class Postmaster {
  /** Settles (never rejects) with how the program ended. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  readonly #place: Place;
  readonly #logStart: number;
  #end: string | null = null;

  constructor(place: Place, binaries: Binaries, settings: Readonly<Record<string, string>>) {
    this.#place = place;
    rotateLog(place);
    // A file, not a pipe to us: PostgreSQL may outlive us, and must be able to go on writing.
    const log = openSync(place.logFile, 'a', 0o600);
    this.#logStart = fstatSync(log).size;
    const all = {
      listen_addresses: '',
      port: String(socketPort),
      unix_socket_directories: place.socketSetting,
      unix_socket_permissions: '0700',
      ...settings,
    };
    try {
      this.#child = spawn(
        binaries.postgres,
        [
          '-D',
          directoryArgument(place, place.clusterDirectory),
          ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ],
        { ...spawnOptions(place, place.clusterDirectory), stdio: ['ignore', log, log] },
      );
    } finally {
      closeSync(log);
    }
    this.exited = new Promise((resolve) => {
      const settle = (end: string) => {
        this.#end ??= end;
        resolve(this.#end);
      };
      this.#child.once('error', (error) => settle(`could not be run: ${error.message}`));
      this.#child.once('exit', (code, signal) =>
        settle(signal ? `was killed by ${signal}` : `ended with code ${code}`),
      );
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#end === null;
  }

  /**
   * Waits until it accepts connections. Recovery after a crash may take minutes; that is waited for, and logged.
   * Throws START_FAILED or DISK_FULL, with what PostgreSQL wrote, when it ends instead.
   */
  async ready(log: Logger, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    let nextNotice = begun + 5_000;
    while (!this.#isReady()) {
      signal.throwIfAborted();
      if (this.#end !== null) throw this.#startFailure(this.#end);
      if (performance.now() >= nextNotice) {
        nextNotice += 5_000;
        const seconds = Math.round((performance.now() - begun) / 1_000);
        log.info({ seconds }, 'PostgreSQL is still starting (after a crash it first recovers from its log)');
      }
      await delay(10);
    }
  }

  /** Asks it to end, and after `milliseconds` insists: recovery at the next start then does what a checkpoint would have. */
  async stop(mode: StopMode, milliseconds: number): Promise<void> {
    const steps: [NodeJS.Signals, number][] = [
      [stopSignals[mode], milliseconds],
      ...(mode === 'smart' ? [[stopSignals.fast, milliseconds] satisfies [NodeJS.Signals, number]] : []),
      [stopSignals.immediate, 2_000],
      ['SIGKILL', 5_000],
    ];
    for (const [signal, patience] of steps) {
      if (this.#end !== null) break;
      this.#child.kill(signal);
      await until(() => this.#end !== null, patience);
    }
  }

  /** What PostgreSQL itself has written of why it fell, if anything: the last such lines of this run. */
  complaints(): string[] {
    const lines = readLog(this.#place, this.#logStart).split('\n');
    return lines.filter((line) => isComplaint.test(line) && !isPatience.test(line)).slice(-3);
  }

  #isReady(): boolean {
    try {
      const lines = readFileSync(join(this.#place.clusterDirectory, 'postmaster.pid'), 'utf8').split('\n');
      return Number(lines[0]) === this.#child.pid && lines[7]?.trim() === 'ready';
    } catch {
      return false;
    }
  }

  #startFailure(end: string): EmbeddedPostgresError {
    const output = readLog(this.#place, this.#logStart);
    if (/No space left on device/.test(output)) return diskFull(this.#place.home, output);
    return new EmbeddedPostgresError(
      'START_FAILED',
      `PostgreSQL ${end} before it was ready. Its log (${this.#place.logFile}) says:\n${output.trim()}`,
    );
  }
}

/**
 * Clears what an earlier run left, so that the cluster can be started. The caller holds the data directory's lock: no
 * living server of ours uses it.
 *
 * A postmaster whose server was killed is stopped, not adopted: its sessions may be amid transactions that nobody waits
 * for any more, and would commit or hold locks beside the new server; its settings and version may be those of before an
 * upgrade; and only a child's end is told to us. Stopping it takes about as long as one checkpoint.
 *
 * Backends that outlived their postmaster hold the shared memory and could still write: they are ended first.
 */
export async function clearRemains(place: Place, log: Logger): Promise<void> {
  const cluster = place.clusterDirectory;
  const running = postgresProcessesIn(cluster);
  if (running.length > 0) {
    const postmaster = postmasterPid(cluster);
    if (postmaster !== null && running.includes(postmaster)) {
      log.warn({ postmaster }, 'stopping the PostgreSQL that a killed server left running');
      signalProcess(postmaster, stopSignals.fast);
      await until(() => postgresProcessesIn(cluster).length === 0, 15_000);
    }
    await endOrphans(place, log);
  }
  // Nobody is left to whom these could belong. PostgreSQL would refuse them if their process ids have been reused.
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  for (const name of readdirSync(place.socketDirectory)) rmSync(join(place.socketDirectory, name), { force: true });
}

/** Ends processes that have outlived their postmaster, which notice its death only when they next wait for something. */
export async function endOrphans({ clusterDirectory }: Place, log: Logger): Promise<void> {
  for (const signal of [stopSignals.immediate, 'SIGKILL'] as const) {
    const running = postgresProcessesIn(clusterDirectory);
    if (running.length === 0) return;
    log.warn({ pids: running, signal }, 'ending PostgreSQL processes that an earlier run left');
    for (const pid of running) signalProcess(pid, signal);
    await until(() => postgresProcessesIn(clusterDirectory).length === 0, 1_000);
  }
}
