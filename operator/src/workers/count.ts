/** How many processes serve. */
import { availableParallelism } from 'node:os';
import type { Config } from '@heddle/server/config.ts';

const MAX_DEFAULT_WORKERS = 8;

/** Of one process: its pools, the bus and the health check (`docs/operate.md`, "Grow"). */
const CONNECTIONS_PER_WORKER = 22;

/** For commands, the supervisor of the embedded PostgreSQL, and the tools of an operator. */
const MAX_OTHER_CONNECTIONS = 20;

/** One for up to three cores, else half of the cores, because PostgreSQL needs the others. */
export function workersOf({ workers }: Pick<Config, 'workers'>, cores = availableParallelism()): number {
  return workers ?? Math.min(Math.max(Math.floor(cores / 2), 1), MAX_DEFAULT_WORKERS);
}

/** The connections that the database must allow for so many workers. */
export function connectionsFor(workers: number): number {
  return workers * CONNECTIONS_PER_WORKER + MAX_OTHER_CONNECTIONS;
}

/** How many workers a database with so many connections can serve. At least one: a pool goes on with the connections that it gets. */
export function workersWith(connections: number): number {
  return Math.max(Math.floor((connections - MAX_OTHER_CONNECTIONS) / CONNECTIONS_PER_WORKER), 1);
}
