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
import { until } from '../../../server/src/testing/server/until.ts';
import { type Connection, type EmbeddedPostgres, type Purpose, startEmbeddedPostgres } from '../index.ts';
import { postgresProcessesIn, signalProcess } from '../processes.ts';

/**
 * A directory for one test. At the end of the test, processes that run in it are killed, so that a failed test leaves
 * nothing.
 */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'heddle-embedded-'));
  t.after(async () => {
    await killCluster(join(directory, 'data'));
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  });
  return directory;
}

let model: Promise<string> | undefined;

/**
 * A data directory with a stopped cluster, for tests that are not about creating one. It is a copy of the first cluster
 * of the test file.
 */
export async function directoryWithCluster(t: TestContext): Promise<string> {
  model ??= makeModel();
  const dataDirectory = join(temporaryDirectory(t), 'data');
  // Keeps the owners and permissions that PostgreSQL requires.
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

/** Kills again what a server starts again meanwhile. */
export async function killCluster(dataDirectory: string): Promise<void> {
  const cluster = clusterOf(dataDirectory);
  await until(() => {
    const pids = postgresProcessesIn(cluster);
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    return pids.length === 0;
  }, 'PostgreSQL to end');
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

/** An embedded PostgreSQL with a log that the test can read. */
export interface LoggedPostgres extends EmbeddedPostgres, AsyncDisposable {
  /** The lines logged so far. */
  readonly said: readonly LogLine[];
  /** Resolves with the next matching line. Call it before the cause of the line. */
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
    [Symbol.asyncDispose]: () => embedded.stop(),
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

/** Runs statements on a separate connection. Returns the rows of the last one. */
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

/**
 * Resolves with the line for the start or end of an outage. Waiting starts at the call, so call it before the cause of
 * the change.
 */
export function reaches(embedded: LoggedPostgres, wanted: 'down' | 'up'): Promise<LogLine> {
  const message = wanted === 'down' ? 'the database is unavailable' : 'the database is available again';
  return embedded.says(({ msg }) => msg === message);
}

export interface Holder {
  readonly pid: number;
  readonly connection: Connection;
  readonly exited: Promise<unknown>;
  /** Stops cleanly. */
  stop(): Promise<unknown>;
  /** Sends kill -9, and waits for the end. */
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

/** Starts a server in a separate process. Resolves when it is ready. */
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
