import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/schema.ts';
import type { Organization } from '../directory/organization.ts';
import type { Organizations } from '../directory/organizations.ts';
import type { DirectoryPresenters } from '../directory/presenters.ts';
import type { UserRecord } from '../directory/records.ts';
import { type Route, routeFor } from '../http/route.ts';
import type { DueRows } from '../jobs/due-rows.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { QueueStore } from '../log/queue-store.ts';
import type { PiecewiseStorage } from '../storage/resumable.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExternalAddress } from './external-address.ts';

/** What features stand on. `app.ts` makes it once a process. */
export interface Rooms {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  /** For the hot prepared statements; everything else goes through `db`. */
  readonly pool: pg.Pool;
  readonly organizations: Organizations;
  readonly queues: QueueStore;
  readonly presenters: DirectoryPresenters;
  /** Told to `wake` when a change that added a job has committed. */
  readonly jobs: Jobs;
  /** Told to `expect` the moment that a row names when the change that wrote it has committed. */
  readonly dueRows: DueRows;
  /** 32 random bytes that only this server has: API keys are derived from it. */
  readonly secret: Buffer;
  /** Where uploaded files lie. */
  readonly storage: Storage;
  /** The same place, for files that come in pieces. */
  readonly piecewise: PiecewiseStorage;
  readonly address: ExternalAddress;
}

/** A route of ours: requests name an organization, and the caller is one of its users. */
export type HeddleRoute = Route<Organization, UserRecord>;

export const route = routeFor<Organization, UserRecord>();

/** Makes something once for each set of rooms (a process has one), on first use. */
export function oncePerRooms<Key extends object, Value>(make: (rooms: Key) => Value): (rooms: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (rooms) => {
    const known = made.get(rooms) ?? { value: make(rooms) };
    made.set(rooms, known);
    return known.value;
  };
}
