/** A PostgreSQL of the machine at a host of its own, on a small disk of its own. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresProcessesIn, signalProcess } from '@heddle/embedded-postgres/processes.ts';
import { fillExcept } from '@heddle/embedded-postgres/testing/small-disk.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import pg from 'pg';
import type { Network } from '../network/network.ts';

const run = promisify(execFile);

export const DATABASE = 'heddle';
const ROLE = 'heddle';

const DISK_MIB = 1_024;

/** What stays free on a full disk. */
const FREE_BYTES = 8_192;

/** A query of the harness to a PostgreSQL that hangs must end. */
const QUERY_TIMEOUT_MS = 5_000;

const SETTINGS = {
  max_connections: '150',
  shared_buffers: '64MB',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  // A standby that was cut off can continue.
  wal_keep_size: '192MB',
  // A standby that was cut off is noticed, and continues, within seconds.
  wal_sender_timeout: '3s',
  wal_receiver_timeout: '3s',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '200ms',
  log_min_messages: 'warning',
};

/** The newest PostgreSQL of Debian's packages. Undefined if there is none. */
export function postgresPrograms(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin')
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);
}

export class PostgresHost {
  readonly name: string;
  readonly address: string;
  readonly #programs: string;
  readonly #network: Network;
  /** The small disk. */
  readonly #disk: string;
  #child: ChildProcess | undefined;

  constructor(name: string, network: Network, directory: string) {
    const programs = postgresPrograms();
    if (programs === undefined) throw new Error('PostgreSQL is not installed in /usr/lib/postgresql');
    this.name = name;
    this.address = network.addressOf(name);
    this.#programs = programs;
    this.#network = network;
    this.#disk = join(directory, name);
  }

  /** Creates an empty cluster, and starts it. */
  async create(): Promise<void> {
    this.#prepareDisk();
    const options = ['--username', ROLE, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C.UTF-8'];
    await this.#run('initdb', ['--pgdata', this.#cluster, ...options]);
    this.#allowConnections();
    await this.start();
    await this.query(`CREATE DATABASE ${DATABASE}`, 'postgres');
  }

  /** Makes it a standby with a fresh copy of a primary, and starts it. */
  async copyFrom(primary: PostgresHost): Promise<void> {
    this.#prepareDisk();
    rmSync(this.#cluster, { recursive: true, force: true });
    const options = ['--checkpoint=fast', '--wal-method=stream', '--no-sync'];
    await this.#run('pg_basebackup', [
      '--pgdata',
      this.#cluster,
      '--host',
      primary.#disk,
      '--username',
      ROLE,
      ...options,
    ]);
    writeFileSync(join(this.#cluster, 'standby.signal'), '');
    this.#writeSource(primary);
    await this.start();
  }

  /** Makes a standby follow another primary. */
  async follow(primary: PostgresHost): Promise<void> {
    this.#writeSource(primary);
    await this.query('SELECT pg_reload_conf()');
  }

  async start(): Promise<void> {
    const log = openSync(join(this.#disk, 'postgres.log'), 'a');
    const all = { ...SETTINGS, listen_addresses: this.address, unix_socket_directories: this.#disk };
    const child = this.#spawn(
      'postgres',
      [...['-D', this.#cluster], ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      log,
    );
    closeSync(log);
    this.#child = child;
    await until(async () => {
      if (child.exitCode !== null)
        throw new Error(`PostgreSQL at ${this.name} did not start; see ${this.#disk}/postgres.log`);
      return this.accepts();
    }, `PostgreSQL at ${this.name} to start`);
  }

  /** Whether it responds to a query now. */
  async accepts(): Promise<boolean> {
    return this.query('SELECT', 'postgres').then(
      () => true,
      () => false,
    );
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Runs a statement on a connection that no network fault affects. */
  async query<Row extends pg.QueryResultRow>(statement: string, database = DATABASE): Promise<readonly Row[]> {
    const client = new pg.Client({
      ...{ host: this.#disk, user: ROLE, database },
      ...{ connectionTimeoutMillis: QUERY_TIMEOUT_MS, query_timeout: QUERY_TIMEOUT_MS },
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Changes settings, in new and in open connections. */
  async set(settings: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(settings)) await this.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    await this.query('SELECT pg_reload_conf()');
  }

  /** Sends kill -9 to all its processes. */
  async kill(): Promise<void> {
    const ended = this.isRunning && this.#child !== undefined ? once(this.#child, 'exit') : undefined;
    this.#signal('SIGKILL');
    await ended;
    await until(() => postgresProcessesIn(this.#cluster).length === 0, `PostgreSQL at ${this.name} to end`);
    // Its process id can belong to another process.
    rmSync(join(this.#cluster, 'postmaster.pid'), { force: true });
  }

  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** Pauses the processes of the connections that carry notifications. Returns how to resume them. */
  async pauseNotifications(): Promise<() => void> {
    const statement = "SELECT pid FROM pg_stat_activity WHERE application_name = 'heddle bus'";
    // Another fault may have stopped it altogether.
    const rows = await this.query<{ pid: number }>(statement).catch(() => []);
    for (const { pid } of rows) signalProcess(pid, 'SIGSTOP');
    return () => {
      for (const { pid } of rows) signalProcess(pid, 'SIGCONT');
    };
  }

  fillDisk(): void {
    fillExcept(this.#filler, FREE_BYTES);
  }

  freeDisk(): void {
    rmSync(this.#filler, { force: true });
  }

  get #filler(): string {
    return join(this.#disk, 'filler');
  }

  get #cluster(): string {
    return join(this.#disk, 'data');
  }

  #prepareDisk(): void {
    if (existsSync(this.#disk)) return;
    mkdirSync(this.#disk, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', this.#disk]);
    chownSync(this.#disk, idOf('-u'), idOf('-g'));
  }

  #allowConnections(): void {
    appendFileSync(join(this.#cluster, 'pg_hba.conf'), `host all,replication all ${this.address}/24 trust\n`);
  }

  #writeSource({ address }: PostgresHost): void {
    const source = `host=${address} user=${ROLE} application_name=${this.name} connect_timeout=2`;
    // The last line of a setting counts.
    appendFileSync(join(this.#cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of postgresProcessesIn(this.#cluster)) signalProcess(pid, signal);
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const [command = '', ...rest] = this.#command(program, args);
    await run(command, rest, { cwd: this.#disk });
  }

  #spawn(program: string, args: readonly string[], log: number): ChildProcess {
    const [command = '', ...rest] = this.#command(program, args);
    return spawn(command, rest, { cwd: this.#disk, stdio: ['ignore', log, log] });
  }

  #command(program: string, args: readonly string[]): readonly string[] {
    const asUser = [`--setuid=${idOf('-u')}`, `--setgid=${idOf('-g')}`];
    return [...this.#network.commandAt(this.name), ...asUser, '--', join(this.#programs, program), ...args];
  }
}

/** PostgreSQL does not run as root. */
function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
}
