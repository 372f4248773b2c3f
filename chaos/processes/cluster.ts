/** All processes of a run: PostgreSQL, Heddle and the balancer. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startCaddy } from '@heddle/server/testing/services/caddy.ts';
import { CLIENTS, type Network } from '../network/network.ts';
import { DATABASE_HOSTS, DatabaseCluster } from './database-cluster.ts';
import { HeddleNode } from './heddle-node.ts';

export const PASSWORD = 'a shuttle flies through the shed';

/** The name of the balancer's host. */
export const BALANCER = 'balancer';
const BALANCER_PORT = 8080;

const NODES = ['one', 'two', 'three'];

/** All hosts of the network. */
export const HOSTS: readonly string[] = [CLIENTS, BALANCER, ...NODES, ...DATABASE_HOSTS];

/** Polls that are held for longer would hide a poll that hangs. */
export const HEARTBEAT_SECONDS = 5;

export class Cluster {
  readonly network: Network;
  readonly databases: DatabaseCluster;
  readonly nodes: readonly HeddleNode[];
  /** The settings of all processes, for commands beside them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly balancerUrl: string;

  constructor(network: Network, directory: string) {
    this.network = network;
    this.databases = new DatabaseCluster(network, directory);
    const data = join(directory, 'data');
    mkdirSync(data);
    this.environment = {
      HEDDLE_DATA_DIR: data,
      HEDDLE_DATABASE_URL: this.databases.url,
      HEDDLE_STANDBY_READS: 'on',
      HEDDLE_BUS: 'postgres',
      HEDDLE_OWNER_PASSWORD: PASSWORD,
      HEDDLE_LOG_LEVEL: 'warn',
      HEDDLE_LOG_FORMAT: 'json',
      HEDDLE_HEARTBEAT_SECONDS: String(HEARTBEAT_SECONDS),
      HEDDLE_DRAIN_SECONDS: '2',
      HEDDLE_INVITATIONS_PER_DAY: '10000',
      HEDDLE_TRUST_PROXY: network.addressOf(BALANCER),
    };
    this.nodes = NODES.map((name) => new HeddleNode(name, network, this.environment));
    this.balancerUrl = `http://${network.addressOf(BALANCER)}:${BALANCER_PORT}`;
  }

  async start(): Promise<void> {
    await this.databases.create();
    // The first one migrates, and creates the organization.
    for (const node of this.nodes) await node.start();
    const { address, command } = {
      address: this.network.addressOf(BALANCER),
      command: this.network.commandAt(BALANCER),
    };
    await startCaddy(this.nodes.map(({ host }) => host).join(' '), {
      host: { address, port: BALANCER_PORT, command },
    });
    await this.serves();
  }

  /** Resolves when commits are confirmed, and all processes of Heddle are ready. */
  async serves(): Promise<void> {
    await this.databases.commits();
    for (const node of this.nodes) await node.isReady();
  }
}
