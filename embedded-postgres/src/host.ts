import { realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { countAttached } from './attach.ts';
import { locatePackage, prepareBinaries } from './binaries.ts';
import { DiskGuard } from './disk-guard.ts';
import { asEmbeddedPostgresError, reasonOf } from './errors.ts';
import { ensureCluster, superuser } from './initialize.ts';
import type { Connection, DataDirectoryLock, LockRecord } from './lock.ts';
import type { Logger } from './logger.ts';
import { type Place, preparePlace, removeTemporarySocketDirectory, socketPort } from './place.ts';
import type { StopMode } from './postmaster.ts';
import { type Durability, measureMachine, settingsFor } from './settings.ts';
import { Supervisor } from './supervisor.ts';

/** The timeout of a clean stop with its checkpoint. After that, the next start recovers from the write-ahead log. */
const STOP_MS = 6_000;

const databaseName = 'heddle';

export interface HostOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  readonly lock: DataDirectoryLock;
  /** The record that the lock's former holder left, if any. */
  readonly former: LockRecord | null;
  readonly durability: Durability;
  /** `smart` first waits for attached commands to finish. */
  readonly stopMode: StopMode;
  /** How many the server needs, if it has several processes. */
  readonly connections?: number | undefined;
}

interface Parts {
  readonly connection: Connection;
  /** Null for a throw-away cluster. */
  readonly guard: DiskGuard | null;
}

/** Runs the cluster of a data directory. It owns the lock, and releases it when it stops. */
export class Host {
  readonly connection: Connection;
  readonly #options: HostOptions;
  readonly #place: Place;
  readonly #supervisor: Supervisor;
  readonly #guard: DiskGuard | null;
  #stopping: Promise<void> | null = null;

  private constructor(options: HostOptions, place: Place, supervisor: Supervisor, parts: Parts) {
    this.#options = options;
    this.#place = place;
    this.#supervisor = supervisor;
    this.#guard = parts.guard;
    this.connection = parts.connection;
  }

  /** Starts the cluster, or creates it first. If this throws, the lock is released and nothing runs. */
  static async start(options: HostOptions): Promise<Host> {
    let place: Place | null = null;
    let started: Supervisor | null = null;
    let guard: DiskGuard | null = null;
    try {
      place = await preparePlace(options.dataDirectory);
      const binaries = await prepareBinaries(locatePackage(), place.user);
      await ensureCluster(place, binaries, options.durability);
      const connection = { host: place.socketDirectory, port: socketPort, user: superuser, database: databaseName };
      const machine = measureMachine(place.clusterDirectory);
      const settings = settingsFor(machine, options.durability, options.connections);
      const supervisor = new Supervisor({ place, binaries, settings, connection }, options.log);
      await supervisor.start();
      started = supervisor;
      guard =
        options.durability === 'durable'
          ? new DiskGuard({ home: place.home, connection }, supervisor, options.log)
          : null;
      await guard?.start();
      const formerSocket = options.former?.connection?.host;
      if (formerSocket && formerSocket !== place.socketDirectory) {
        removeTemporarySocketDirectory(formerSocket, realpathSync(place.home));
      }
      options.lock.announce('ready', connection);
      return new Host(options, place, supervisor, { connection, guard });
    } catch (error) {
      // The next holder of the lock must not meet a PostgreSQL or a guard that runs.
      const unguarded = guard?.stop();
      await started?.stop('fast', STOP_MS).catch((failure: unknown) => {
        options.log.error({ reason: reasonOf(failure) }, 'cannot stop PostgreSQL after a failed start');
      });
      await unguarded;
      if (place !== null) removeTemporarySocketDirectory(place.socketDirectory, place.home);
      options.lock.release();
      throw asEmbeddedPostgresError(options.dataDirectory, error);
    }
  }

  /** Stops PostgreSQL and releases the lock. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const stopped = this.#guard?.stop();
    try {
      if (this.#options.stopMode === 'smart') await this.#waitForAttached();
      await this.#supervisor.stop(this.#options.stopMode, STOP_MS);
    } finally {
      await stopped;
      removeTemporarySocketDirectory(this.#place.socketDirectory, this.#place.home);
      this.#options.lock.release();
    }
  }

  async #waitForAttached(): Promise<void> {
    try {
      this.#options.lock.announce('stopping', this.connection);
      let isLogged = false;
      while (!this.#supervisor.isOut && this.#supervisor.watch !== null) {
        const attached = await countAttached(this.#supervisor.watch);
        if (attached === 0) return;
        if (!isLogged) this.#options.log.info({ attached }, 'waiting for other commands that use the database');
        isLogged = true;
        await delay(50);
      }
    } catch (error) {
      this.#options.log.warn(
        { reason: reasonOf(error) },
        'cannot find out whether other commands still use the database',
      );
    }
  }
}
