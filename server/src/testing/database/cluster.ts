import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Host } from '@heddle/embedded-postgres/host.ts';
import { type Connection, DataDirectoryLock, recordPath } from '@heddle/embedded-postgres/lock.ts';
import { clusterDirectoryIn } from '@heddle/embedded-postgres/place.ts';
import type { StopMode } from '@heddle/embedded-postgres/postmaster.ts';
import { postgresProcessesIn, signalProcess } from '@heddle/embedded-postgres/processes.ts';
import pg from 'pg';
import { pino } from 'pino';
import type { ConnectionSettings } from '../../db/connection-settings.ts';
import { MIGRATION_TIMEOUTS } from '../../db/timeouts.ts';
import { until } from '../server/until.ts';
import { ClusterImages } from './cluster-image.ts';

/** The names of the directories of test clusters begin with this. */
export const CLUSTER_PREFIX = 'heddle-test-cluster-';

/** The database of each test cluster that tests clone. */
export const TEMPLATE = 'heddle_template';

export interface TestCluster {
  readonly connection: Connection;
  /** The name of a migrated database without organizations and without connections. */
  readonly template: string;
  /** Ends PostgreSQL at once and removes its directory. */
  stop(): Promise<void>;
}

/**
 * Starts a separate embedded cluster in a temporary directory, for one test run. It starts as a copy of an image, if an
 * earlier run has saved one. It differs from the cluster of a server in two settings: fsync is off, because its data
 * need not survive a crash of the machine, and a new connection has ten minutes to log in. The data survives the death of its processes. Leftovers of killed test runs
 * are removed first.
 */
export async function startTestCluster(images = new ClusterImages()): Promise<TestCluster> {
  await removeAbandoned();
  const dataDirectory = mkdtempSync(join(tmpdir(), CLUSTER_PREFIX));
  const remove = () => rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 3 });
  try {
    const host = await startFromImage(dataDirectory, images);
    const stop = () => host.stop().then(remove);
    return { connection: host.connection, template: TEMPLATE, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

async function startFromImage(dataDirectory: string, images: ClusterImages): Promise<Host> {
  const clusterDirectory = clusterDirectoryIn(dataDirectory);
  // Before the copy: while this process holds the lock, other runs do not consider the directory abandoned.
  const lock = acquireLock(dataDirectory);
  if (!images.copyTo(clusterDirectory)) {
    const first = await startHost(dataDirectory, lock, 'fast');
    await createTemplate(first.connection, TEMPLATE).finally(() => first.stop());
    images.save(clusterDirectory);
    return await startHost(dataDirectory, acquireLock(dataDirectory), 'immediate');
  }
  return await startHost(dataDirectory, lock, 'immediate');
}

/** While a process holds the lock, other runs do not consider the directory abandoned. */
export function acquireLock(dataDirectory: string): DataDirectoryLock {
  const lock = DataDirectoryLock.tryAcquire(dataDirectory, 'serve');
  if (lock === null) throw new Error(`${dataDirectory} was just created and is locked`);
  return lock;
}

function startHost(dataDirectory: string, lock: DataDirectoryLock, stopMode: StopMode): Promise<Host> {
  const log = pino({ level: 'warn' }, pino.destination(2));
  return Host.start({ dataDirectory, log, lock, former: null, durability: 'throw-away', stopMode });
}

/** Creates a migrated database on a cluster. The role must be a superuser. */
export async function createTemplate(cluster: ConnectionSettings, name: string): Promise<void> {
  // Most runs find an image, and do not need this module.
  const { migrate } = await import('../../db/migrate.ts');
  const { openPool } = await import('../../db/pool.ts');
  const administration = new pg.Client(cluster);
  await administration.connect();
  try {
    await administration.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  } finally {
    await administration.end();
  }
  const silent = pino({ enabled: false });
  const pool = openPool(inDatabase(cluster, name), silent, { timeouts: MIGRATION_TIMEOUTS });
  await migrate(pool.db, silent).finally(() => pool.close());
}

/** The settings for another database of the same cluster. */
function inDatabase({ connectionString, ...settings }: ConnectionSettings, database: string): ConnectionSettings {
  if (connectionString === undefined) return { ...settings, database };
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return { ...settings, connectionString: url.href };
}

/** Removes the directories of killed runs: a lock record exists, but no process holds the lock. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(CLUSTER_PREFIX))) {
    const dataDirectory = join(tmpdir(), name);
    if (!existsSync(recordPath(dataDirectory))) continue;
    const lock = tryLock(dataDirectory);
    if (lock === null) continue;
    const cluster = join(dataDirectory, 'postgres', 'data');
    for (const pid of postgresProcessesIn(cluster)) signalProcess(pid, 'SIGKILL');
    await until(() => postgresProcessesIn(cluster).length === 0, 'PostgreSQL to end');
    lock.release();
    rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Also returns null for a directory of another user. */
function tryLock(dataDirectory: string): DataDirectoryLock | null {
  try {
    return DataDirectoryLock.tryAcquire(dataDirectory, 'serve');
  } catch {
    return null;
  }
}
