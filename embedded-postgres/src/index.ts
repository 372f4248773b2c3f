import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Attachment } from './attach.ts';
import { EmbeddedPostgresError, inUse, reasonOf } from './errors.ts';
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
import type { Logger } from './logger.ts';
import { releaseIfFull } from './reserve.ts';

export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './errors.ts';
export type { Connection, Purpose };

export interface EmbeddedPostgresOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** `serve`: the one server of the data directory. `command`: uses the cluster of a running server, or starts it. */
  readonly purpose: Purpose;
  /** Multiplies the waits for another process, on a slow machine. Default: 1. */
  readonly timeoutFactor?: number;
  /** How many connections a server of several processes needs. */
  readonly connections?: number | undefined;
}

export interface EmbeddedPostgres {
  /** For a `Pool` of `pg`. */
  readonly connection: Connection;
  /**
   * Stops PostgreSQL within about 8 s (11 s if it is frozen), and releases the data directory. An attached command only detaches. A command that runs
   * PostgreSQL first waits for attached ones.
   */
  stop(): Promise<void>;
}

/** After this time, a holder of the lock without a valid record is an error. */
const UNKNOWN_HOLDER_MS = 2_000;
/** The timeout for another process to become ready or to finish. */
const HOLDER_TIMEOUT_MS = 60_000;

/**
 * Starts the PostgreSQL of a data directory. A command attaches to that of a running server. Resolves when it accepts connections and
 * the database exists.
 * @throws EmbeddedPostgresError with a message that tells the operator what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, purpose, timeoutFactor = 1, connections } = options;
  const dataDirectory = resolve(options.dataDirectory);
  ensureDataDirectory(dataDirectory);
  releaseIfFull(dataDirectory);
  const begun = performance.now();
  let knownAt = begun;
  let isLogged = false;
  let failure: unknown = null;
  while (true) {
    const former = readLockRecord(dataDirectory);
    const lock = DataDirectoryLock.tryAcquire(dataDirectory, purpose);
    if (lock !== null) {
      const stopMode = purpose === 'serve' ? 'fast' : 'smart';
      return await Host.start({ dataDirectory, log, lock, former, durability: 'durable', stopMode, connections });
    }

    const holder = livingHolder(dataDirectory);
    const now = performance.now();
    if (holder !== null) {
      knownAt = now;
      if (purpose === 'serve' && holder.purpose === 'serve') throw inUse(dataDirectory, holder.pid);
      if (purpose === 'command' && holder.state === 'ready') {
        try {
          const attachment = await Attachment.open(dataDirectory, holder, log);
          if (attachment !== null) return attachment;
        } catch (error) {
          failure = error;
        }
      }
      if (!isLogged)
        log.info(
          { pid: holder.pid, purpose: holder.purpose, state: holder.state },
          'waiting for another process that uses the data directory',
        );
      isLogged = true;
      if (now - begun > HOLDER_TIMEOUT_MS * timeoutFactor) throw tooLong(dataDirectory, holder, failure);
    } else if (now - knownAt > UNKNOWN_HOLDER_MS * timeoutFactor) {
      throw inUse(dataDirectory, null);
    }
    await delay(50);
  }
}

function livingHolder(dataDirectory: string): LockRecord | null {
  const record = readLockRecord(dataDirectory);
  return record !== null && isHolderAlive(record) ? record : null;
}

function tooLong(dataDirectory: string, holder: LockRecord, failure: unknown): EmbeddedPostgresError {
  if (failure === null) return inUse(dataDirectory, holder.pid);
  return new EmbeddedPostgresError(
    'UNAVAILABLE',
    `Process ${holder.pid} uses the data directory ${dataDirectory}, but its database does not respond ` +
      `(${reasonOf(failure)}). See the log of that process.`,
    { cause: failure },
  );
}
