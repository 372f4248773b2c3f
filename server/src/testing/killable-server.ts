/** A real server on its embedded database that a test kills without warning and starts again on the same data. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresProcessesIn, postmasterPid, signalProcess, until } from '@heddle/embedded-postgres/processes.ts';
import { beginHeddle, type Finished, type HeddleServer, type HeddleStart } from './heddle-process.ts';

export class KillableServer {
  readonly dataDirectory: string;
  readonly #environment: Readonly<Record<string, string>>;
  #start: HeddleStart;
  #isOver = false;

  constructor(dataDirectory: string, environment: Readonly<Record<string, string>> = {}) {
    this.dataDirectory = dataDirectory;
    this.#environment = { ...environment, HEDDLE_DATA_DIR: dataDirectory };
    this.#start = this.#begin();
  }

  /** The running server, once it listens. Rejects when it ended before. */
  get listening(): Promise<HeddleServer> {
    return this.#start.listening;
  }

  /** Begins the next server, whatever became of the last. */
  restart(): Promise<HeddleServer> {
    this.#start = this.#begin();
    return this.listening;
  }

  /** kill -9 of the server, with its end awaited; its PostgreSQL lives on. */
  kill(): Promise<Finished> {
    this.#start.child.kill('SIGKILL');
    return this.#start.ended;
  }

  /** SIGSTOP: the process stands still, and everybody it speaks with hears nothing. Resolves when it does. */
  async pause(): Promise<void> {
    const { pid } = this.#start.child;
    if (pid === undefined) throw new Error('there is no process to be paused');
    this.#start.child.kill('SIGSTOP');
    if (!(await until(() => isStopped(pid), 5_000))) throw new Error('the process did not stop');
  }

  /** Lets a paused process go on. */
  resume(): void {
    this.#start.child.kill('SIGCONT');
  }

  /** SIGSTOP of all PostgreSQL's processes. */
  async pausePostgres(): Promise<void> {
    for (const pid of this.postgresProcesses()) signalProcess(pid, 'SIGSTOP');
    await until(() => this.postgresProcesses().every(isStopped), 5_000);
  }

  resumePostgres(): void {
    for (const pid of this.postgresProcesses()) signalProcess(pid, 'SIGCONT');
  }

  /** kill -9 of PostgreSQL's first process, as soon as there is one. The others notice and end. */
  async killPostmaster(): Promise<void> {
    await this.#killFirst((pid) => pid === postmasterPid(this.#cluster));
  }

  /** kill -9 of a process that serves a connection of Heddle's, as soon as there is one: PostgreSQL then resets itself. */
  async killBackend(): Promise<void> {
    await this.#killFirst(isBackend);
  }

  /** Whether the test is over: then clients give up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** kill -9 of everything, with its end awaited: for tidying up. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
    for (const pid of this.postgresProcesses()) signalProcess(pid, 'SIGKILL');
    await until(() => this.postgresProcesses().length === 0, 5000);
  }

  /** What PostgreSQL has written of itself. */
  postgresLog(): Promise<string> {
    return readFile(join(this.dataDirectory, 'postgres', 'postgres.log'), 'utf8');
  }

  /** PostgreSQL's processes that run in the data directory. */
  postgresProcesses(): readonly number[] {
    return readdirSync(this.dataDirectory).includes('postgres') ? postgresProcessesIn(this.#cluster) : [];
  }

  async #killFirst(isVictim: (pid: number) => boolean): Promise<void> {
    let victim: number | undefined;
    await until(() => {
      victim = this.postgresProcesses().find(isVictim);
      return victim !== undefined;
    }, 10_000);
    if (victim === undefined) throw new Error('PostgreSQL did not come back to be killed');
    signalProcess(victim, 'SIGKILL');
  }

  get #cluster(): string {
    return join(this.dataDirectory, 'postgres', 'data');
  }

  #begin(): HeddleStart {
    const start = beginHeddle(this.#environment);
    // Whoever waits for it hears of a failure; a server that is killed while it starts may have nobody who waits.
    start.listening.catch(() => undefined);
    return start;
  }
}

function isStopped(pid: number): boolean {
  return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T');
}

/** PostgreSQL writes what a process does into its command line: `postgres: <cluster>: <user> <database> [local] idle`. */
function isBackend(pid: number): boolean {
  try {
    return /^postgres: heddle: heddle heddle /.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
