/**
 * Two nodes of PostgreSQL: a primary and a standby that follows it. A test stops, pauses and promotes them. Servers reach the primary
 * at one URL, which leads to the other node after a failover.
 */
import { chmodSync, cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Binaries, locatePackage, prepareBinaries } from '@heddle/embedded-postgres/binaries.ts';
import { ensureCluster, superuser } from '@heddle/embedded-postgres/initialize.ts';
import { type Place, preparePlace, socketPort } from '@heddle/embedded-postgres/place.ts';
import { Postmaster, type StopMode } from '@heddle/embedded-postgres/postmaster.ts';
import { postgresProcessesIn, signalProcess } from '@heddle/embedded-postgres/processes.ts';
import { settingsFor, THROW_AWAY_MEMORY } from '@heddle/embedded-postgres/settings.ts';
import pg from 'pg';
import { temporaryDataDirectory } from '../server/data-directory.ts';
import { until } from '../server/until.ts';
import { silent } from './log.ts';

const STOP_MS = 10_000;

/** One PostgreSQL. */
export class ClusterNode {
  readonly name: string;
  readonly #place: Place;
  readonly #binaries: Binaries;
  #postmaster: Postmaster | undefined;

  constructor(name: string, place: Place, binaries: Binaries) {
    this.name = name;
    this.#place = place;
    this.#binaries = binaries;
  }

  get socketDirectory(): string {
    return this.#place.socketDirectory;
  }

  async start(): Promise<void> {
    const settings = settingsFor({ memoryBytes: THROW_AWAY_MEMORY, diskBytes: THROW_AWAY_MEMORY }, 'throw-away');
    this.#postmaster = new Postmaster(this.#place, this.#binaries, settings);
    await this.#postmaster.ready(silent, AbortSignal.timeout(60_000));
  }

  async stop(mode: StopMode = 'immediate'): Promise<void> {
    this.resume();
    await this.#postmaster?.stop(mode, STOP_MS);
    await until(() => this.#processes().length === 0, `PostgreSQL ${this.name} to end`);
  }

  /** Sends SIGSTOP to all of its processes. */
  pause(): void {
    for (const pid of this.#processes()) signalProcess(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of this.#processes()) signalProcess(pid, 'SIGCONT');
  }

  /** Runs one statement on a connection of its own. */
  async query(text: string, database = 'heddle'): Promise<pg.QueryResult['rows']> {
    const client = new pg.Client({ host: this.socketDirectory, port: socketPort, user: superuser, database });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Changes a setting of the node, and waits until it holds. */
  async set(name: string, value: string): Promise<void> {
    await this.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    await this.query('SELECT pg_reload_conf()');
    await until(async () => (await this.query(`SHOW ${name}`))[0]?.[name] === value, `${name} to be ${value}`);
  }

  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 60)');
  }

  #processes(): readonly number[] {
    return postgresProcessesIn(this.#place.clusterDirectory);
  }
}

export interface ReplicatedCluster {
  readonly primary: ClusterNode;
  readonly standby: ClusterNode;
  /** Leads to the primary, until a failover. */
  readonly url: string;
  /** Resolves when the standby has written everything that the primary has committed. */
  caughtUp(): Promise<void>;
  /** From now on, new connections to `url` lead to this node. */
  leadTo(node: ClusterNode): void;
  remove(): Promise<void>;
}

/** Starts both nodes, with an empty database `heddle`. The replication is asynchronous until a test changes that. */
export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  const { path, remove } = await temporaryDataDirectory();
  // The standby connects to the directory of the primary as PostgreSQL's user.
  chmodSync(path, 0o711);
  const [one, other] = [join(path, 'a'), join(path, 'b')];
  for (const directory of [one, other]) mkdirSync(directory, { mode: 0o711 });
  const place = await preparePlace(one);
  const binaries = await prepareBinaries(locatePackage(), place.user);
  await ensureCluster(place, binaries, 'throw-away');
  const placeOfStandby = await preparePlace(other);
  cpSync(place.clusterDirectory, placeOfStandby.clusterDirectory, { recursive: true });
  writeFileSync(join(placeOfStandby.clusterDirectory, 'standby.signal'), '');
  writeFileSync(
    join(placeOfStandby.clusterDirectory, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${place.socketDirectory} port=${socketPort} user=${superuser} application_name=b'\n`,
  );
  // Gives the copied files to PostgreSQL's user.
  await ensureCluster(placeOfStandby, binaries, 'throw-away');
  const primary = new ClusterNode('a', place, binaries);
  const standby = new ClusterNode('b', placeOfStandby, binaries);
  await primary.start();
  await standby.start();
  await primary.query('CREATE DATABASE heddle', 'postgres');
  const link = join(path, 'current');
  const leadTo = (node: ClusterNode): void => {
    symlinkSync(node.socketDirectory, `${link}.new`);
    renameSync(`${link}.new`, link);
  };
  leadTo(primary);
  const query = new URLSearchParams({ host: link, port: String(socketPort), user: superuser });
  return {
    primary,
    standby,
    url: `postgresql:///heddle?${query}`,
    leadTo,
    async caughtUp() {
      const [row] = await primary.query('SELECT pg_current_wal_flush_lsn() AS lsn');
      await until(async () => {
        const [received] = await standby.query(
          `SELECT pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn AS is`,
          'postgres',
        );
        return received?.is;
      }, 'the standby to catch up');
    },
    async remove() {
      await standby.stop();
      await primary.stop();
      await remove();
    },
  };
}
