import type pg from 'pg';
import type { Logger } from 'pino';
import { directoryParts, features } from './all-features.ts';
import type { Config } from './config.ts';
import type { ConnectionSettings } from './db/connection-settings.ts';
import { HealthCheck } from './db/health-check.ts';
import { migrate } from './db/migrate.ts';
import { openPool } from './db/pool.ts';
import { Standbys } from './db/standbys.ts';
import { JOB_TIMEOUTS, MIGRATION_TIMEOUTS } from './db/timeouts.ts';
import type { Directory } from './directory/directory.ts';
import { Organizations } from './directory/organizations.ts';
import type { AppContext } from './extension/app-context.ts';
import { ExternalAddress } from './extension/external-address.ts';
import { hooksOf, presentersOf } from './extension/feature.ts';
import type { Program } from './extension/program.ts';
import { LogConsumers } from './jobs/consumers.ts';
import { Jobs } from './jobs/jobs.ts';
import { Scheduler } from './jobs/scheduler.ts';
import { type Bus, createBus } from './log/bus/bus.ts';
import { confirmIdentity } from './log/epoch.ts';
import { Presenters } from './log/presentation.ts';
import { FLUSH_INTERVAL_MS, QueueStore } from './log/queue-store.ts';
import { Preloading } from './preloading.ts';
import { Readiness } from './readiness.ts';
import { readinessChecks } from './readiness-checks.ts';
import { confirmSecret, loadSecret } from './secret.ts';
import { openStorage } from './storage/open.ts';
import { confirmStore } from './storage/store-marker.ts';

/** With a full disk, PostgreSQL can refuse new connections and still serve reads on open ones. */
const MIN_KEPT_CONNECTIONS = 2;

export interface OpenAppOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The database: `HEDDLE_DATABASE_URL`, or the embedded cluster. */
  readonly connection: ConnectionSettings;
  /** The directory of the embedded cluster, if it is used. */
  readonly clusterDirectory?: string;
  /** A command announces its changes to serving processes. A single serving process has no other process to notify. */
  readonly purpose: 'serve' | 'command';
  /** The program of this server, which can run commands. */
  readonly program?: Program;
}

export interface OpenApp extends AppContext {
  readonly bus: Bus;
  readonly readiness: Readiness;
  readonly preloading: Preloading;
  /** The pools of connections by name, for the metrics. */
  readonly pools: Readonly<Record<string, () => pg.Pool | undefined>>;
  /** Replaces connections of requests, if nothing uses them (`BoundedPool.renew`). */
  renewConnections(): Promise<void>;
  /** Waits for started work, then closes the connections. */
  close(): Promise<void>;
}

/** Connects to the database, migrates it, and builds the services that features use. */
export async function openApp(options: OpenAppOptions): Promise<OpenApp> {
  const { config, log, connection, clusterDirectory, purpose } = options;
  const connections = openConnections(options);
  try {
    // First: if the data directory cannot be written, nothing is created in the database either.
    const secret = await loadSecret(config.dataDirectory, log);
    await bringUpToDate(connection, log);
    await confirmSecret(connections.db, secret);
    if (purpose === 'serve') await confirmIdentity(connections.db, clusterDirectory ?? null, log);
    const files = openStorage(config);
    if (purpose === 'serve' && config.bus !== 'local')
      await confirmStore(connections.backgroundPool, files.storage, log);
    // Last: nothing may fail when it runs.
    return servicesOn(connections, secret, files, options);
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** The connections of a process to its database, under one health check. */
type Connections = ReturnType<typeof openConnections>;

function openConnections({ config, connection, log, clusterDirectory, purpose }: OpenAppOptions) {
  const healthCheck = new HealthCheck({ settings: connection, log, endIsReported: clusterDirectory !== undefined });
  const requests = openPool(connection, log, { healthCheck, keepsAtLeast: MIN_KEPT_CONNECTIONS });
  const background = openPool(connection, log, {
    size: 2,
    timeouts: JOB_TIMEOUTS,
    healthCheck,
    name: 'heddle background',
  });
  const signals = openPool(connection, log, { size: 1, healthCheck, name: 'heddle signals', keepsConnections: true });
  const hasStandbys = purpose === 'serve' && config.standbyReads && connection.primary !== undefined;
  const standbys = hasStandbys ? new Standbys(connection.primary, log, () => healthCheck.doubt()) : undefined;
  return {
    healthCheck,
    standbys,
    db: requests.db,
    pool: requests.pool,
    settings: requests.settings,
    background: background.db,
    backgroundPool: background.pool,
    signals: signals.pool,
    signalsDb: signals.db,
    async close() {
      await standbys?.close();
      await signals.close();
      await background.close();
      await requests.close();
      await healthCheck.close();
    },
  };
}

function servicesOn(
  connections: Connections,
  secret: Buffer,
  files: ReturnType<typeof openStorage>,
  { config, log, purpose, program }: OpenAppOptions,
): OpenApp {
  const { db, pool, settings, background, signals, signalsDb, healthCheck, standbys } = connections;
  const announces = purpose === 'command' || config.bus !== 'local';
  // A command announces little. The database carries that as well.
  const nats = purpose === 'serve' && typeof config.bus === 'object' ? { servers: config.bus, secret } : undefined;
  const bus = createBus({ pool: signals, settings, log, announces, ...(nats && { nats }) });
  const presenters = new Presenters<Directory>();
  for (const feature of features) {
    const given = Object.entries(presentersOf(feature, { secret }));
    for (const [type, presenter] of given) presenters.add(type, presenter);
  }
  const address = new ExternalAddress(config);
  const organizations = new Organizations({
    db,
    pool,
    ...(standbys && { standbys }),
    signals,
    bus,
    presenters,
    hooks: hooksOf(features),
    directoryParts,
    heartbeatMilliseconds: config.heartbeatSeconds * 1000,
    serverRules: {
      webPublicChannels: config.webPublicChannels,
      gravatar: config.gravatar !== 'off',
      bigBlueButton: config.bigBlueButtonUrl !== null,
      hostOf: (subdomain) => address.hostOf(subdomain),
    },
    log,
  });
  const queues = new QueueStore({
    db,
    pool,
    log,
    idleSeconds: config.queueIdleSeconds,
    othersWriteWithin: config.bus !== 'local' ? (2 * FLUSH_INTERVAL_MS) / 1000 : 0,
    isHeld: (queue) => organizations.inMemoryById(queue.organizationId)?.polls.isHeld(queue) ?? false,
    onGone: (queue) => organizations.inMemoryById(queue.organizationId)?.polls.end(queue),
  });
  const jobs = new Jobs({ settings, log, healthCheck });
  const preloading = new Preloading({ background, organizations, log });
  const parts = { healthCheck, signals, signalsDb, bus, storage: files.storage, preloading };
  return {
    config,
    log,
    db,
    pool,
    background,
    organizations,
    queues,
    presenters,
    jobs,
    scheduler: new Scheduler({ db, log }),
    consumers: new LogConsumers({ db, pool, organizations, log }),
    secret,
    ...files,
    address,
    program,
    bus,
    preloading,
    readiness: new Readiness(readinessChecks(parts), log),
    pools: {
      requests: () => pool,
      background: () => connections.backgroundPool,
      signals: () => signals,
      jobs: () => jobs.pool,
    },
    renewConnections: () => pool.renew(),
    async close() {
      await organizations.close();
      await bus.close();
      await connections.close();
    },
  };
}

async function bringUpToDate(connection: ConnectionSettings, log: Logger): Promise<void> {
  const { db, close } = openPool(connection, log, { size: 1, timeouts: MIGRATION_TIMEOUTS, name: 'heddle migration' });
  await migrate(db, log).finally(close);
}
