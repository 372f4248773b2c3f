import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Attachment } from './attach.ts';
import { DataDirectoryInUseError, EmbeddedPostgresError, reasonOf } from './errors.ts';
import { Host } from './host.ts';
import {
  type Connection,
  DataDirectoryLock,
  ensureDataDirectory,
  isHolderAlive,
  type LockRecord,
  type Purpose,
  readLockRecord,
} from './lock.ts';

export {
  DataDirectoryInUseError,
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorCode,
  WrongMajorVersionError,
} from './errors.ts';
export type { Connection, Purpose };

export interface EmbeddedPostgresOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** `serve`: the one server of the data directory. `command`: use the running server's cluster, or run it for a while. */
  readonly purpose: Purpose;
}

export interface EmbeddedPostgres {
  /** For pg's Pool: the socket's directory as host, port, user and database. */
  readonly connection: Connection;
  /**
   * Ends PostgreSQL within about 8 s, cleanly if it can, and frees the data directory. A command that only attached
   * detaches; one that ran PostgreSQL itself first waits for others that attached to it.
   */
  stop(): Promise<void>;
}

/** How long a lock may be held by someone whose record is missing or stale before we say so. */
const unknownHolderMilliseconds = 2_000;
/** How long we wait for a server to become ready, or for a command to finish. */
const patienceMilliseconds = 60_000;

/**
 * Starts (or, for a command beside a running server, joins) the PostgreSQL of a data directory. Resolves when it accepts
 * connections and the database exists. Throws an {@link EmbeddedPostgresError} whose message tells the operator what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, purpose } = options;
  const dataDirectory = resolve(options.dataDirectory);
  ensureDataDirectory(dataDirectory);
  const begun = performance.now();
  let knownAt = begun;
  let isTold = false;
  let failure: unknown = null;
  while (true) {
    const former = readLockRecord(dataDirectory);
    const lock = DataDirectoryLock.tryAcquire(dataDirectory, purpose);
    if (lock !== null) {
      const stopMode = purpose === 'serve' ? 'fast' : 'smart';
      return await Host.start({ dataDirectory, log, lock, former, durability: 'durable', stopMode });
    }

    const holder = livingHolder(dataDirectory);
    const now = performance.now();
    if (holder !== null) {
      knownAt = now;
      if (purpose === 'serve' && holder.purpose === 'serve')
        throw new DataDirectoryInUseError(dataDirectory, holder.pid);
      if (purpose === 'command' && holder.state === 'ready') {
        try {
          const attachment = await Attachment.open(dataDirectory, holder, log);
          if (attachment !== null) return attachment;
        } catch (error) {
          failure = error;
        }
      }
      if (!isTold) log.info({ pid: holder.pid, purpose: holder.purpose, state: holder.state }, 'waiting for a process');
      isTold = true;
      if (now - begun > patienceMilliseconds) throw tooLong(dataDirectory, holder, failure);
    } else if (now - knownAt > unknownHolderMilliseconds) {
      throw new DataDirectoryInUseError(dataDirectory, null);
    }
    await delay(50);
  }
}

function livingHolder(dataDirectory: string): LockRecord | null {
  const record = readLockRecord(dataDirectory);
  return record !== null && isHolderAlive(record) ? record : null;
}

function tooLong(dataDirectory: string, holder: LockRecord, failure: unknown): EmbeddedPostgresError {
  if (failure === null) return new DataDirectoryInUseError(dataDirectory, holder.pid);
  return new EmbeddedPostgresError(
    'UNAVAILABLE',
    `Process ${holder.pid} serves the data directory ${dataDirectory}, but its database does not answer ` +
      `(${reasonOf(failure)}). See that server's log.`,
    { cause: failure },
  );
}
