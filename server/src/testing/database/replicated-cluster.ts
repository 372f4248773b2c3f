/** A primary and its standby: real processes of the embedded PostgreSQL, which a test kills, pauses and promotes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locatePackage, prepareBinaries } from '@heddle/embedded-postgres/binaries.ts';
import { ensureCluster, superuser } from '@heddle/embedded-postgres/initialize.ts';
import type { DataDirectoryLock } from '@heddle/embedded-postgres/lock.ts';
import { type Place, preparePlace, removeTemporarySocketDirectory } from '@heddle/embedded-postgres/place.ts';
import { Postmaster } from '@heddle/embedded-postgres/postmaster.ts';
import { postgresProcessesIn, signalProcess } from '@heddle/embedded-postgres/processes.ts';
import { measureMachine, settingsFor } from '@heddle/embedded-postgres/settings.ts';
import pg from 'pg';
import { until } from '../server/until.ts';
import { freePort } from '../services/ports.ts';
import { acquireLock, CLUSTER_PREFIX, startTestCluster, TEMPLATE } from './cluster.ts';
import { ClusterImages } from './cluster-image.ts';
import { silent } from './log.ts';

/** The user of PostgreSQL may not be able to enter the directory of the other node's socket, so the standby uses TCP. */
const PERMISSIONS = `
  local all,replication all trust
  host all,replication all 127.0.0.1/32 trust
`;

const STOP_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 60_000;

/** A PostgreSQL of the cluster. Its only database is migrated, and has no organization. */
export class PostgresNode {
  /** The URL of its database. */
  readonly url: string;
  readonly port: number;
  readonly #place: Place;
  readonly #lock: DataDirectoryLock;
  readonly #postmaster: Postmaster;

  private constructor(place: Place, port: number, lock: DataDirectoryLock, postmaster: Postmaster) {
    this.#place = place;
    this.#lock = lock;
    this.#postmaster = postmaster;
    this.port = port;
    this.url = `postgresql://${superuser}@127.0.0.1:${port}/${TEMPLATE}`;
  }

  /** @param primary if given, the node is its standby */
  static async start(settings: Readonly<Record<string, string>>, primary?: PostgresNode): Promise<PostgresNode> {
    const dataDirectory = mkdtempSync(join(tmpdir(), CLUSTER_PREFIX));
    const lock = acquireLock(dataDirectory);
    const place = await preparePlace(dataDirectory);
    await copyImage(place.clusterDirectory);
    writeFileSync(join(place.clusterDirectory, 'pg_hba.conf'), PERMISSIONS);
    if (primary !== undefined) writeFileSync(join(place.clusterDirectory, 'standby.signal'), '');
    return await PostgresNode.#run(place, lock, {
      ...settings,
      ...(primary && { primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${superuser}` }),
    });
  }

  static async #run(
    place: Place,
    lock: DataDirectoryLock,
    settings: Readonly<Record<string, string>>,
  ): Promise<PostgresNode> {
    const binaries = await prepareBinaries(locatePackage(), place.user);
    // Gives the files to the user of PostgreSQL.
    await ensureCluster(place, binaries, 'throw-away');
    const usual = settingsFor(measureMachine(place.clusterDirectory), 'throw-away');
    const port = await freePort();
    const own = { listen_addresses: '127.0.0.1', port: String(port) };
    const node = new PostgresNode(
      place,
      port,
      lock,
      new Postmaster(place, binaries, { ...usual, ...own, ...settings }),
    );
    await node.#postmaster.ready(silent, AbortSignal.timeout(START_TIMEOUT_MS)).catch(async (error: unknown) => {
      await node.end();
      throw error;
    });
    return node;
  }

  /** The directory of its socket. */
  get socketDirectory(): string {
    return this.#place.socketDirectory;
  }

  /** Runs a statement on a connection of its own. */
  async query<Row extends pg.QueryResultRow>(statement: string): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  /** The names of the connections of Heddle. */
  async connections(): Promise<readonly string[]> {
    const rows = await this.query<{ name: string }>(
      "SELECT application_name AS name FROM pg_stat_activity WHERE application_name LIKE 'heddle%'",
    );
    return rows.map(({ name }) => name);
  }

  /** Makes a primary of a standby. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  /** From now on, it refuses changes in new and in open connections. */
  async becomeReadOnly(): Promise<void> {
    await this.query('ALTER SYSTEM SET default_transaction_read_only = on');
    await this.query('SELECT pg_reload_conf()');
    const isReadOnly = async () =>
      (await this.query<{ is: string }>(`SELECT current_setting('transaction_read_only') AS is`))[0]?.is === 'on';
    await until(isReadOnly, 'PostgreSQL to be read-only');
  }

  /** Sends kill -9 to all its processes. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#postmaster.exited;
    await until(() => postgresProcessesIn(this.#place.clusterDirectory).length === 0, 'PostgreSQL to end');
  }

  /** It accepts connections and does not respond, until `resume`. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** Stops it, and removes its files. */
  async end(): Promise<void> {
    this.resume();
    await this.#postmaster.stop('immediate', STOP_TIMEOUT_MS);
    await until(() => postgresProcessesIn(this.#place.clusterDirectory).length === 0, 'PostgreSQL to end');
    removeTemporarySocketDirectory(this.#place.socketDirectory, this.#place.home);
    this.#lock.release();
    rmSync(join(this.#place.home, '..'), { recursive: true, force: true, maxRetries: 3 });
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of postgresProcessesIn(this.#place.clusterDirectory)) signalProcess(pid, signal);
  }
}

/** A primary whose commits wait until the standby has them on its disk. */
export interface ReplicatedCluster {
  readonly primary: PostgresNode;
  readonly standby: PostgresNode;
}

/** Starts a cluster that is removed at the end of the test. */
export async function startReplicatedCluster(t: {
  after(tidy: () => Promise<void>): void;
}): Promise<ReplicatedCluster> {
  const primary = await PostgresNode.start({ synchronous_standby_names: '*' });
  t.after(() => primary.end());
  const standby = await PostgresNode.start({}, primary);
  t.after(() => standby.end());
  const isReplicated = async () =>
    (await primary.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0;
  await until(isReplicated, 'the standby to replicate');
  return { primary, standby };
}

/** Both nodes are copies of one stopped cluster, so the standby continues where the primary began. */
async function copyImage(clusterDirectory: string): Promise<void> {
  const images = new ClusterImages();
  if (images.copyTo(clusterDirectory)) return;
  await (await startTestCluster(images)).stop();
  if (!images.copyTo(clusterDirectory)) throw new Error('there is no image of a cluster');
}
