/**
 * What the primary process and its workers tell each other. During an upgrade the primary can be of the release before that of a worker. So a
 * message never changes its meaning, and an unknown one is ignored.
 */
import type { MetricValues } from '@heddle/server/monitoring/metrics-port.ts';
import type { OpenDatabase } from '../commands/database.ts';

type EmbeddedDatabase = Pick<OpenDatabase, 'connection' | 'clusterDirectory'>;

/** What a worker gets at its start. Everything else is in its environment. */
export interface Orders {
  /** From 1 to the number of workers. A worker that replaces another has its number. */
  readonly number: number;
  /** The first worker of a start prints what a single process prints. */
  readonly isFirst: boolean;
  /** The embedded PostgreSQL, which the primary runs. A worker finds the database of an operator itself. */
  readonly embedded?: EmbeddedDatabase;
}

export type ToWorker =
  /** Stop like after SIGTERM. */
  | { readonly kind: 'stop' }
  /** Another worker has the place: see `HeddleServer.retire`. */
  | { readonly kind: 'retire' }
  | { readonly kind: 'read metrics'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'serving' }
  /** The event loop turns. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'metrics'; readonly id: number; readonly values: MetricValues };

/** How often a worker says that it is alive. */
export const ALIVE_INTERVAL_MS = 10_000;

const VARIABLE = 'WORKER_ORDERS';

/** The environment of a worker with these orders. */
export function withOrders(orders: Orders): NodeJS.ProcessEnv {
  return { [VARIABLE]: JSON.stringify(orders) };
}

export function isWorker(environment: NodeJS.ProcessEnv): boolean {
  return environment[VARIABLE] !== undefined;
}

/** Takes the orders out of the environment, so that children of the worker do not get them. Undefined: this is no worker. */
export function takeOrders(environment: NodeJS.ProcessEnv): Orders | undefined {
  const text = environment[VARIABLE];
  delete environment[VARIABLE];
  return text === undefined ? undefined : JSON.parse(text);
}
