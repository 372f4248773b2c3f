import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { type Connection, type EmbeddedPostgres, type Purpose, startEmbeddedPostgres } from '../index.ts';
import { postgresProcessesIn, signalProcess, until } from '../processes.ts';

/** A directory for one test; what runs in it at the test's end is killed, so that a failed test leaves nothing. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'heddle-embedded-'));
  t.after(async () => {
    await killCluster(join(directory, 'data'));
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  });
  return directory;
}

let model: Promise<string> | undefined;

/** A data directory with a cluster that nothing runs in, for tests that are not about making one: a copy of the file's first. */
export async function directoryWithCluster(t: TestContext): Promise<string> {
  model ??= makeModel();
  const dataDirectory = join(temporaryDirectory(t), 'data');
  // With the owners and permissions that PostgreSQL insists on.
  await promisify(execFile)('cp', ['-a', await model, dataDirectory]);
  return dataDirectory;
}

async function makeModel(): Promise<string> {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'heddle-embedded-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  const dataDirectory = join(directory, 'data');
  await (await serve(dataDirectory)).stop();
  return dataDirectory;
}

export async function killCluster(dataDirectory: string): Promise<void> {
  const cluster = clusterOf(dataDirectory);
  for (const pid of postgresProcessesIn(cluster)) signalProcess(pid, 'SIGKILL');
  await until(() => postgresProcessesIn(cluster).length === 0, 5_000);
}

export function clusterOf(dataDirectory: string): string {
  return join(dataDirectory, 'postgres', 'data');
}

/** One line of the log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
  readonly postgres?: readonly string[];
}

/** An embedded PostgreSQL whose log the test reads, as an operator would. */
export interface LoggedPostgres extends EmbeddedPostgres {
  /** What it has said so far. */
  readonly said: readonly LogLine[];
  /** Resolves with the next line that fits. Call it before what causes the line. */
  says(fits: (line: LogLine) => boolean): Promise<LogLine>;
}

export function serve(dataDirectory: string): Promise<LoggedPostgres> {
  return start(dataDirectory, 'serve');
}

export function command(dataDirectory: string): Promise<LoggedPostgres> {
  return start(dataDirectory, 'command');
}

async function start(dataDirectory: string, purpose: Purpose): Promise<LoggedPostgres> {
  const said: LogLine[] = [];
  const waiting = new Set<(line: LogLine) => void>();
  const write = (text: string): void => {
    const line: LogLine = JSON.parse(text);
    said.push(line);
    for (const tell of waiting) tell(line);
  };
  const embedded = await startEmbeddedPostgres({ dataDirectory, log: pino({ level: 'info' }, { write }), purpose });
  return {
    connection: embedded.connection,
    stop: () => embedded.stop(),
    said,
    says: (fits) =>
      new Promise((resolve) => {
        const tell = (line: LogLine): void => {
          if (!fits(line)) return;
          waiting.delete(tell);
          resolve(line);
        };
        waiting.add(tell);
      }),
  };
}

/** Runs statements on a connection of their own; answers the last one's rows. */
export async function query(connection: Connection, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...connection });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** The line that tells of an outage's beginning or end. Starts to wait at once: call it before what causes the change. */
export function reaches(embedded: LoggedPostgres, wanted: 'down' | 'up'): Promise<LogLine> {
  const message = wanted === 'down' ? 'the database is unavailable' : 'the database is available again';
  return embedded.says(({ msg }) => msg === message);
}

export interface Holder {
  readonly pid: number;
  readonly connection: Connection;
  readonly exited: Promise<unknown>;
  /** Stops in order. */
  stop(): Promise<unknown>;
  /** kill -9, and waits for the end. */
  kill(): Promise<unknown>;
}

export function startHolder(dataDirectory: string, identity: { uid?: number; gid?: number } = {}) {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    [fileURLToPath(new URL('hold.ts', import.meta.url)), dataDirectory, 'serve'],
    { stdio: ['pipe', 'pipe', 'inherit'], ...identity },
  );
  return child;
}

/** A server in a process of its own, ready. */
export async function serveElsewhere(
  t: TestContext,
  dataDirectory: string,
  identity: { uid?: number; gid?: number } = {},
): Promise<Holder> {
  const child = startHolder(dataDirectory, identity);
  const exited = once(child, 'exit');
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done || child.pid === undefined) throw new Error('the holder ended before it was ready');
  return {
    pid: child.pid,
    connection: JSON.parse(first.value),
    exited,
    stop: () => {
      child.stdin.end();
      return exited;
    },
    kill: () => {
      child.kill('SIGKILL');
      return exited;
    },
  };
}
