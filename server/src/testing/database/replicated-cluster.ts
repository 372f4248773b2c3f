/**
 * A primary and its standby: real processes of the embedded PostgreSQL, which a test stops, kills, pauses and promotes. Servers reach both at
 * one URL, and find the primary.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, locatePackage, prepareBinaries } from '@heddle/embedded-postgres/binaries.ts';
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

/** The name of the standby, for `synchronous_standby_names`. */
const STANDBY = 'b';

const STOP_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 60_000;

interface Parts {
  readonly place: Place;
  readonly port: number;
  readonly lock: DataDirectoryLock;
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
}

/** A PostgreSQL of the cluster. Its only database is migrated, and has no organization. */
export class PostgresNode {
  /** The URL of its database. */
  readonly url: string;
  readonly port: number;
  readonly #parts: Parts;
  #postmaster: Postmaster;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.port = parts.port;
    this.url = `postgresql://${superuser}@127.0.0.1:${parts.port}/${TEMPLATE}`;
    this.#postmaster = this.#run();
  }

  /** @param primary if given, the node is its standby */
  static async create(primary?: PostgresNode): Promise<PostgresNode> {
    const dataDirectory = mkdtempSync(join(tmpdir(), CLUSTER_PREFIX));
    const lock = acquireLock(dataDirectory);
    const place = await preparePlace(dataDirectory);
    await copyImage(place.clusterDirectory);
    writeFileSync(join(place.clusterDirectory, 'pg_hba.conf'), PERMISSIONS);
    if (primary !== undefined) writeFileSync(join(place.clusterDirectory, 'standby.signal'), '');
    const binaries = await prepareBinaries(locatePackage(), place.user);
    // Gives the files to the user of PostgreSQL.
    await ensureCluster(place, binaries, 'throw-away');
    const port = await freePort();
    const from = `host=127.0.0.1 port=${primary?.port} user=${superuser} application_name=${STANDBY}`;
    const settings = {
      ...settingsFor(measureMachine(place.clusterDirectory), 'throw-away'),
      listen_addresses: '127.0.0.1',
      port: String(port),
      ...(primary && { primary_conninfo: from }),
    };
    const node = new PostgresNode({ place, port, lock, binaries, settings });
    await node.#ready().catch(async (error: unknown) => {
      await node.remove();
      throw error;
    });
    return node;
  }

  /** The directory of its socket. */
  get socketDirectory(): string {
    return this.#parts.place.socketDirectory;
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

  /** Changes a setting, in new and in open connections. */
  async set(name: string, value: string): Promise<void> {
    await this.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    await this.query('SELECT pg_reload_conf()');
    const isSet = async () => (await this.query<Record<string, string>>(`SHOW ${name}`))[0]?.[name] === value;
    await until(isSet, `${name} to be ${value}`);
  }

  /** Makes a primary of a standby. */
  async promote(): Promise<void> {
    // A standby cancels statements that delay its replay. So none of these waits.
    await this.query('SELECT pg_promote(wait => false)');
    const isPrimary = async () => (await this.query<{ is: boolean }>('SELECT NOT pg_is_in_recovery() AS is'))[0]?.is;
    await until(() => isPrimary().catch(() => false), 'the end of the promotion');
  }

  /** Sends kill -9 to all its processes. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#postmaster.exited;
    await this.#ended();
  }

  /** It accepts connections and does not respond, until `resume`. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  async stop(): Promise<void> {
    this.resume();
    await this.#postmaster.stop('immediate', STOP_TIMEOUT_MS);
    await this.#ended();
  }

  /** Starts it again after `stop`. */
  async start(): Promise<void> {
    this.#postmaster = this.#run();
    await this.#ready();
  }

  /** Starts it again after `stop`, as a standby without a primary. */
  async startAsStandby(): Promise<void> {
    writeFileSync(join(this.#parts.place.clusterDirectory, 'standby.signal'), '');
    await this.start();
  }

  /** Stops it, and removes its files. */
  async remove(): Promise<void> {
    const { place, lock } = this.#parts;
    await this.stop();
    removeTemporarySocketDirectory(place.socketDirectory, place.home);
    lock.release();
    rmSync(join(place.home, '..'), { recursive: true, force: true, maxRetries: 3 });
  }

  #run(): Postmaster {
    const { place, binaries, settings } = this.#parts;
    return new Postmaster(place, binaries, settings);
  }

  async #ready(): Promise<void> {
    await this.#postmaster.ready(silent, AbortSignal.timeout(START_TIMEOUT_MS));
  }

  async #ended(): Promise<void> {
    await until(() => this.#processes().length === 0, 'PostgreSQL to end');
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of this.#processes()) signalProcess(pid, signal);
  }

  #processes(): readonly number[] {
    return postgresProcessesIn(this.#parts.place.clusterDirectory);
  }
}

export interface ReplicatedCluster {
  readonly primary: PostgresNode;
  readonly standby: PostgresNode;
  /** The URL that names both hosts. */
  readonly url: string;
  /** From now on, commits of the primary wait until the standby has them on its disk. */
  waitForStandby(): Promise<void>;
  /** Resolves when the standby has everything that the primary has committed. */
  caughtUp(): Promise<void>;
  remove(): Promise<void>;
}

/** Commits of the primary do not wait for the standby until a test wants it. */
export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  const primary = await PostgresNode.create();
  const standby = await PostgresNode.create(primary).catch(async (error: unknown) => {
    await primary.remove();
    throw error;
  });
  const url = new URL(primary.url);
  return {
    primary,
    standby,
    url: `${url.href.replace(url.host, `${url.host},${new URL(standby.url).host}`)}?target_session_attrs=read-write`,
    async waitForStandby() {
      await primary.set('synchronous_standby_names', `ANY 1 (${STANDBY})`);
      const isSynchronous = async () =>
        (await primary.query("SELECT FROM pg_stat_replication WHERE sync_state = 'quorum'")).length > 0;
      await until(isSynchronous, 'the standby to replicate');
    },
    async caughtUp() {
      const [end] = await primary.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn() AS lsn');
      const hasCaughtUp = async () => {
        const [standbyEnd] = await standby.query<{ is: boolean }>(
          `SELECT pg_last_wal_replay_lsn() >= '${end?.lsn}'::pg_lsn AS is`,
        );
        return standbyEnd?.is;
      };
      await until(hasCaughtUp, 'the standby to catch up');
    },
    async remove() {
      await standby.remove();
      await primary.remove();
    },
  };
}

/** Both nodes are copies of one stopped cluster, so the standby continues where the primary began. */
async function copyImage(clusterDirectory: string): Promise<void> {
  const images = new ClusterImages();
  if (images.copyTo(clusterDirectory)) return;
  await (await startTestCluster(images)).stop();
  if (!images.copyTo(clusterDirectory)) throw new Error('there is no image of a cluster');
}
