/** A real server that a test kills and restarts on the same data. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresProcessesIn, postmasterPid, signalProcess } from '@heddle/embedded-postgres/processes.ts';
import { testDatabase } from '../database/database.ts';
import { temporaryDataDirectory } from '../server/data-directory.ts';
import { until } from '../server/until.ts';
import { beginHeddle, type Finished, type HeddleServer, type HeddleStart } from './heddle-process.ts';

export class KillableServer {
  readonly dataDirectory: string;
  /** The settings of the server, for commands beside it. */
  readonly environment: Readonly<Record<string, string>>;
  #start: HeddleStart;
  #isOver = false;

  constructor(dataDirectory: string, environment: Readonly<Record<string, string>> = {}) {
    this.dataDirectory = dataDirectory;
    this.environment = { ...environment, HEDDLE_DATA_DIR: dataDirectory };
    this.#start = this.#begin();
  }

  /** The running server, once it listens. Rejects if it ended before. */
  get listening(): Promise<HeddleServer> {
    return this.#start.listening;
  }

  /** Starts the next server, whatever the state of the last one. */
  restart(): Promise<HeddleServer> {
    this.#start = this.#begin();
    return this.listening;
  }

  /** Sends kill -9 to the server and waits for its end. Its PostgreSQL keeps running. */
  kill(): Promise<Finished> {
    this.#start.child.kill('SIGKILL');
    return this.#start.ended;
  }

  /** Sends SIGSTOP: the process is paused and does not respond. Resolves when it is paused. */
  async pause(): Promise<void> {
    const { pid } = this.#start.child;
    if (pid === undefined) throw new Error('there is no process to be paused');
    this.#start.child.kill('SIGSTOP');
    await until(() => isStopped(pid), 'the process to be paused');
  }

  /** Resumes a paused process. */
  resume(): void {
    this.#start.child.kill('SIGCONT');
  }

  /** Sends SIGSTOP to all processes of PostgreSQL. */
  async pausePostgres(): Promise<void> {
    for (const pid of this.postgresProcesses()) signalProcess(pid, 'SIGSTOP');
    await until(() => this.postgresProcesses().every(isStopped), 'PostgreSQL to be paused');
  }

  resumePostgres(): void {
    for (const pid of this.postgresProcesses()) signalProcess(pid, 'SIGCONT');
  }

  /** Sends kill -9 to the postmaster, as soon as there is one. The other processes notice that and end. */
  async killPostmaster(): Promise<void> {
    await this.#killFirst((pid) => pid === postmasterPid(this.#cluster));
  }

  /** Sends kill -9 to a backend of a Heddle connection, as soon as there is one. PostgreSQL then resets itself. */
  async killBackend(): Promise<void> {
    await this.#killFirst(isBackend);
  }

  /** Whether the test is over. Then clients stop retrying. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Kills everything and waits for the end, to clean up. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
    for (const pid of this.postgresProcesses()) signalProcess(pid, 'SIGKILL');
    await until(() => this.postgresProcesses().length === 0, 'PostgreSQL to end');
  }

  /** The content of PostgreSQL's log. */
  postgresLog(): Promise<string> {
    return readFile(join(this.dataDirectory, 'postgres', 'postgres.log'), 'utf8');
  }

  /** The processes of PostgreSQL in the data directory. */
  postgresProcesses(): readonly number[] {
    return readdirSync(this.dataDirectory).includes('postgres') ? postgresProcessesIn(this.#cluster) : [];
  }

  async #killFirst(isVictim: (pid: number) => boolean): Promise<void> {
    const victim = await until(() => this.postgresProcesses().find(isVictim), 'a process of PostgreSQL to be killed');
    signalProcess(victim, 'SIGKILL');
  }

  get #cluster(): string {
    return join(this.dataDirectory, 'postgres', 'data');
  }

  #begin(): HeddleStart {
    const start = beginHeddle(this.environment);
    // Callers that wait for it get the failure. If the server is killed during its start, there may be no such caller.
    start.listening.catch(() => undefined);
    return start;
  }
}

/**
 * Starts a killable server on a database of the run's cluster, which starts sooner than an embedded one. Both are removed at the end of the
 * test.
 */
export async function startKillable(
  t: { after(tidy: () => Promise<void>): void },
  environment: Readonly<Record<string, string>>,
): Promise<KillableServer> {
  const [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase()]);
  const server = new KillableServer(data.path, { HEDDLE_DATABASE_URL: database.url, ...environment });
  t.after(async () => {
    await server.end();
    await database.drop();
    await data.remove();
  });
  await server.listening;
  return server;
}

function isStopped(pid: number): boolean {
  return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T');
}

/**
 * PostgreSQL shows the state of a process in its command line: `postgres: <cluster>: <user> <database> [local] idle`.
 */
function isBackend(pid: number): boolean {
  try {
    return /^postgres: heddle: heddle heddle /.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
