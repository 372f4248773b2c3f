import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/schema.ts';
import type { Organization } from '../directory/organization.ts';
import type { Organizations } from '../directory/organizations.ts';
import type { DirectoryPresenters } from '../directory/presenters.ts';
import type { UserRecord } from '../directory/records.ts';
import { type Route, routeFor } from '../http/requests/route.ts';
import type { LogConsumers } from '../jobs/consumers.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { QueueStore } from '../log/queue-store.ts';
import type { PiecewiseStorage } from '../storage/resumable.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExternalAddress } from './external-address.ts';
import type { Program } from './program.ts';

/** The application context of features. `app.ts` creates it once per process. */
export interface AppContext {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  /** For frequent prepared statements. All other code uses `db`. */
  readonly pool: pg.Pool;
  /** For slow statements that no request waits for. It has two connections, for the whole process. */
  readonly background: Db;
  readonly organizations: Organizations;
  readonly queues: QueueStore;
  readonly presenters: DirectoryPresenters;
  /** Call `wake` after the commit of a transaction that adds a job. */
  readonly jobs: Jobs;
  /** Call `expect` with the time in a row after the commit that writes the row. */
  readonly scheduler: Scheduler;
  readonly consumers: LogConsumers;
  /** 32 random bytes of this server. API keys are derived from it. */
  readonly secret: Buffer;
  /** The storage of uploaded files. */
  readonly storage: Storage;
  /** The same storage, for files that arrive in pieces. */
  readonly piecewise: PiecewiseStorage;
  readonly address: ExternalAddress;
  /** undefined in commands. */
  readonly program: Program | undefined;
}

/** A route of Heddle: a request belongs to an organization, and the caller is one of its users. */
export type HeddleRoute = Route<Organization, UserRecord>;

export const route = routeFor<Organization, UserRecord>();

/** Creates a value once per context (a process has one), on first use. */
export function oncePerApp<Key extends object, Value>(make: (app: Key) => Value): (app: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (app) => {
    const known = made.get(app) ?? { value: make(app) };
    made.set(app, known);
    return known.value;
  };
}
