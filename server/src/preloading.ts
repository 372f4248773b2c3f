/**
 * Loads large organizations before this process is ready. Otherwise the first requests after a start would wait for seconds, and all clients
 * come back at that moment.
 *
 * Only organizations with event queues are loaded, because clients poll those. With several processes, an organization may belong to another
 * one. It leaves the memory of this process after five minutes without a request, like after background work.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { timeoutOf } from './config/timeout-factor.ts';
import { backgroundLevel } from './db/failures.ts';
import type { Db } from './db/schema.ts';
import type { Organizations } from './directory/organizations.ts';
import { prepareForMembers } from './domain/users/users/user-lists.ts';
import { MIN_LARGE_ORGANIZATION_USERS } from './features/events/spreading.ts';

/** Those with most queues are loaded. Two of a hundred thousand users need about 600 MB. */
const MAX_PRELOADED_ORGANIZATIONS = 4;
const MAX_PRELOADED_USERS = 200_000;

/** A process that has not loaded them after this time is ready without them. The requests wait then. */
const PRELOAD_TIMEOUT_MS = timeoutOf(60_000);

export interface PreloadingOptions {
  readonly background: Db;
  readonly organizations: Pick<Organizations, 'byId'>;
  readonly log: Logger;
  /** An organization with fewer users is loaded by its first request. */
  readonly minUsers?: number;
}

export class Preloading {
  readonly #options: PreloadingOptions;
  readonly #stopping = new AbortController();
  #loading: Promise<void> | undefined;

  constructor(options: PreloadingOptions) {
    this.#options = options;
  }

  /** Whether large organizations are being loaded. */
  get isRunning(): boolean {
    return this.#loading !== undefined;
  }

  /** Resolves when large organizations are loaded, at once if there are none. */
  async ended(): Promise<void> {
    await this.#loading;
  }

  /** Finds the organizations, and begins to load them. Call it before the server listens, so that it is ready at once if there are none. */
  async start(): Promise<void> {
    const { background, minUsers = MIN_LARGE_ORGANIZATION_USERS } = this.#options;
    const found = await largeOrganizations(background, minUsers).catch((error: unknown) => this.#note(error));
    if (found === undefined || found.length === 0) return;
    const late = delay(PRELOAD_TIMEOUT_MS, undefined, { signal: this.#stopping.signal, ref: false });
    const loaded = this.#load(found);
    // Stopping aborts the delay.
    this.#loading = Promise.race([loaded, late.catch(() => undefined)]).then(() => {
      this.#loading = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loading;
  }

  async #load(found: readonly LargeOrganization[]): Promise<void> {
    let left = MAX_PRELOADED_USERS;
    for (const one of found) {
      // The first one is loaded, however large it is.
      if (one.users > left && left < MAX_PRELOADED_USERS) continue;
      left -= one.users;
      // One that cannot be loaded does not keep the others from it.
      await this.#loadOne(one).catch((error: unknown) => this.#note(error));
      if (this.#stopping.signal.aborted) return;
    }
  }

  async #loadOne({ id, users }: LargeOrganization): Promise<void> {
    const { organizations, log } = this.#options;
    const begunAt = performance.now();
    const organization = await organizations.byId(id);
    if (organization !== undefined) await prepareForMembers(organization.directory);
    const seconds = Number(((performance.now() - begunAt) / 1000).toFixed(1));
    log.info({ organization: id, users, seconds }, 'loaded a large organization');
  }

  #note(error: unknown): undefined {
    if (this.#stopping.signal.aborted) return;
    const { log } = this.#options;
    log[backgroundLevel(error)]({ err: error }, 'could not load large organizations before they are requested');
  }
}

interface LargeOrganization {
  readonly id: number;
  readonly users: number;
}

/** Organizations with event queues. Those with most queues come first. The users of small ones are not counted to the end. */
async function largeOrganizations(db: Db, minUsers: number): Promise<readonly LargeOrganization[]> {
  const { rows } = await sql<LargeOrganization>`
    WITH live AS (
      SELECT organization_id, count(*) AS queues FROM queues GROUP BY organization_id
    ), large AS MATERIALIZED (
      SELECT organization_id, queues
        FROM live
       WHERE ${minUsers}::integer = (
               SELECT count(*) FROM (
                 SELECT FROM users WHERE users.organization_id = live.organization_id LIMIT ${minUsers}::integer
               ) AS counted)
       ORDER BY queues DESC
       LIMIT ${MAX_PRELOADED_ORGANIZATIONS}::integer
    )
    SELECT organization_id AS id,
           (SELECT count(*)::integer FROM users WHERE users.organization_id = large.organization_id) AS users
      FROM large
     ORDER BY queues DESC`.execute(db);
  return rows;
}
