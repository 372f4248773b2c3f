import { type LockRecord, readLockRecord } from './lock.ts';
import { clusterDirectoryIn } from './place.ts';
import { postgresProcessesIn, postmasterPid, signalProcess } from './processes.ts';

/**
 * Stops the PostgreSQL of a host that was killed. Another process of the same server calls it, because nothing else can. It only sends the
 * signal, because its own process ends too. It does nothing if the data directory has another host meanwhile.
 * @param host the record of the host when it ran
 */
export function stopPostgresOf(dataDirectory: string, host: LockRecord): void {
  const holder = readLockRecord(dataDirectory);
  if (holder?.pid !== host.pid || holder.started !== host.started) return;
  const cluster = clusterDirectoryIn(dataDirectory);
  const postmaster = postmasterPid(cluster);
  // It rolls open transactions back, and writes a checkpoint.
  if (postmaster !== null && postgresProcessesIn(cluster).includes(postmaster)) signalProcess(postmaster, 'SIGINT');
}
