import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Host } from '../db/embedded/host.ts';
import { type Connection, DataDirectoryLock } from '../db/embedded/lock.ts';
import { postgresProcessesIn, signalProcess, until } from '../db/embedded/processes.ts';

const prefix = 'heddle-test-cluster-';

export interface TestCluster {
  readonly connection: Connection;
  /** Ends PostgreSQL at once and removes its directory. */
  stop(): Promise<void>;
}

/**
 * Starts an embedded cluster of its own in a temporary directory, for one run of tests.
 *
 * It differs from a server's in one setting: fsync is off, because nothing in it has to survive the machine. It does survive
 * its own processes being killed. What a killed test run left behind is removed first.
 */
export async function startTestCluster(): Promise<TestCluster> {
  await removeAbandoned();
  const dataDirectory = mkdtempSync(join(tmpdir(), prefix));
  const lock = DataDirectoryLock.tryAcquire(dataDirectory, 'serve');
  if (lock === null) throw new Error(`${dataDirectory} was just created and is locked`);
  const host = await Host.start({
    dataDirectory,
    log: pino({ level: 'warn' }, pino.destination(2)),
    lock,
    former: null,
    durability: 'throw-away',
    stopMode: 'immediate',
  });
  return {
    connection: host.connection,
    stop: async () => {
      await host.stop();
      rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A directory whose lock can be taken belongs to nobody any more. One without a cluster may be about to be locked. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const dataDirectory = join(tmpdir(), name);
    if (!wasUsed(dataDirectory)) continue;
    const lock = tryLock(dataDirectory);
    if (lock === null) continue;
    const cluster = join(dataDirectory, 'postgres', 'data');
    for (const pid of postgresProcessesIn(cluster)) signalProcess(pid, 'SIGKILL');
    await until(() => postgresProcessesIn(cluster).length === 0, 5_000);
    lock.release();
    rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 3 });
  }
}

function wasUsed(dataDirectory: string): boolean {
  try {
    return readdirSync(dataDirectory).includes('postgres');
  } catch {
    return false;
  }
}

/** Null also for another user's directory. */
function tryLock(dataDirectory: string): DataDirectoryLock | null {
  try {
    return DataDirectoryLock.tryAcquire(dataDirectory, 'serve');
  } catch {
    return null;
  }
}
