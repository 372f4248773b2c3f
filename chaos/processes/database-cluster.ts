/** A primary with two standbys. A commit waits until one of them has it on its disk. */
import type { Network } from '../network/network.ts';
import { waitFor } from '../waiting.ts';
import { DATABASE, PostgresHost } from './postgres-host.ts';

export const DATABASE_HOSTS = ['a', 'b', 'c'] as const;

const WAITING = `ANY 1 (${DATABASE_HOSTS.join(', ')})`;

export class DatabaseCluster {
  readonly hosts: readonly PostgresHost[];
  /** The URL that names all hosts. */
  readonly url: string;
  #primary: PostgresHost;

  constructor(network: Network, directory: string) {
    this.hosts = DATABASE_HOSTS.map((name) => new PostgresHost(name, network, directory));
    const [first] = this.hosts;
    if (first === undefined) throw new Error('a cluster has hosts');
    this.#primary = first;
    const addresses = this.hosts.map(({ address }) => `${address}:5432`).join();
    this.url = `postgresql://heddle@${addresses}/${DATABASE}?target_session_attrs=read-write`;
  }

  get primary(): PostgresHost {
    return this.#primary;
  }

  get standbys(): readonly PostgresHost[] {
    return this.hosts.filter((host) => host !== this.#primary);
  }

  async create(): Promise<void> {
    await this.#primary.create();
    for (const standby of this.standbys) await standby.copyFrom(this.#primary);
    await this.waitForStandbys();
    await this.isWell();
  }

  /** From now on, commits wait for a standby. */
  async waitForStandbys(): Promise<void> {
    await this.#primary.set({ synchronous_standby_names: WAITING });
  }

  /** Resolves when all standbys replicate. */
  async isWell(): Promise<void> {
    await waitFor(async () => (await this.#replicating()) === this.standbys.length, 'all standbys to replicate');
  }

  /** Resolves when a standby confirms commits of the primary. */
  async commits(): Promise<void> {
    await waitFor(async () => (await this.#replicating()) > 0, 'a standby to replicate');
  }

  /** Makes a primary of the standby that has received most. The former primary must be unable to commit. */
  async promote(): Promise<void> {
    const positions = await Promise.all(
      this.standbys.map(async (standby) => {
        const [row] = await standby.query<{ position: string }>(
          "SELECT pg_wal_lsn_diff(GREATEST(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0') AS position",
        );
        return { standby, position: Number(row?.position ?? 0) };
      }),
    );
    const [best] = positions.toSorted((x, y) => y.position - x.position);
    if (best === undefined) throw new Error('there is no standby');
    this.#primary = best.standby;
    const others = positions.filter((each) => each !== best);
    await best.standby.query('SELECT pg_promote()');
    await this.waitForStandbys();
    for (const { standby } of others) await standby.follow(best.standby);
  }

  async #replicating(): Promise<number> {
    const rows = await this.#primary
      .query("SELECT FROM pg_stat_replication WHERE state = 'streaming' AND NOT pg_is_in_recovery()")
      .catch(() => []);
    return rows.length;
  }
}
