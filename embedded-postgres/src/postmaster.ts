import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { diskFull, EmbeddedPostgresError } from './errors.ts';
import type { Logger } from './logger.ts';
import { directoryArgument, type Place, socketPort, spawnOptions } from './place.ts';
import { readLog, rotateLog } from './postgres-log.ts';
import { postgresProcessesIn, postmasterPid, signalProcess, until } from './processes.ts';

/**
 * How PostgreSQL stops. `smart` waits for sessions, `fast` rolls their transactions back, and both write a checkpoint. After `immediate`,
 * the next start recovers from the write-ahead log.
 */
export type StopMode = 'smart' | 'fast' | 'immediate';

const stopSignals: Record<StopMode, NodeJS.Signals> = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' };

const isComplaint = /\b(PANIC|FATAL):|terminated by signal|exited with exit code|No space left on device/;
/** Messages to connections during a start, a recovery or a stop do not name the cause. */
const isRoutine = /database system is|terminating connection/;

/** One run of the `postgres` program. */
export class Postmaster {
  /** Resolves with how the program ended. It never rejects. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  readonly #place: Place;
  readonly #logStart: number;
  #end: string | null = null;

  constructor(place: Place, binaries: Binaries, settings: Readonly<Record<string, string>>) {
    this.#place = place;
    rotateLog(place);
    // A file instead of a pipe, because PostgreSQL may outlive this process.
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

  get isRunning(): boolean {
    return this.#end === null;
  }

  /**
   * Waits until PostgreSQL accepts connections. Recovery after a crash may take minutes, which the log mentions.
   * @throws EmbeddedPostgresError `START_FAILED` or `DISK_FULL`, with the output of PostgreSQL, if it ends
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
        log.info(
          { seconds },
          'PostgreSQL is still starting; after a crash, it first recovers from its write-ahead log',
        );
      }
      await delay(10);
    }
  }

  /** Stops PostgreSQL. After `milliseconds`, it stops without a checkpoint, and the next start recovers. */
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

  /** The last lines of this run's log that can explain a failure. */
  complaints(): string[] {
    const lines = readLog(this.#place, this.#logStart).split('\n');
    return lines.filter((line) => isComplaint.test(line) && !isRoutine.test(line)).slice(-3);
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
      `PostgreSQL ${end} before it was ready. Its log is ${this.#place.logFile}:\n${output.trim()}`,
    );
  }
}

/**
 * Removes the processes and files of an earlier run. The caller holds the lock of the data directory, so no server uses it.
 *
 * A postmaster without its server is stopped, because its sessions could still commit or hold locks, and its settings and version may be
 * old. Also, only the end of a child process is reported to us. The stop takes about as long as a checkpoint.
 *
 * Backends without a postmaster still have the shared memory and can write, so they are stopped as well.
 */
export async function clearRemains(place: Place, log: Logger): Promise<void> {
  const cluster = place.clusterDirectory;
  const running = postgresProcessesIn(cluster);
  if (running.length > 0) {
    const postmaster = postmasterPid(cluster);
    if (postmaster !== null && running.includes(postmaster)) {
      log.warn({ postmaster }, 'stopping the PostgreSQL of a server that was killed');
      signalProcess(postmaster, stopSignals.fast);
      await until(() => postgresProcessesIn(cluster).length === 0, 15_000);
    }
    await endOrphans(place, log);
  }
  // If another process has the id in `postmaster.pid`, PostgreSQL would refuse to start.
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  for (const name of readdirSync(place.socketDirectory)) rmSync(join(place.socketDirectory, name), { force: true });
}

/** Ends processes that outlived their postmaster. They detect its end only when they wait. */
export async function endOrphans({ clusterDirectory }: Place, log: Logger): Promise<void> {
  for (const signal of [stopSignals.immediate, 'SIGKILL'] as const) {
    const running = postgresProcessesIn(clusterDirectory);
    if (running.length === 0) return;
    log.warn({ pids: running, signal }, 'stopping PostgreSQL processes of an earlier run');
    for (const pid of running) signalProcess(pid, signal);
    await until(() => postgresProcessesIn(clusterDirectory).length === 0, 1_000);
  }
}
