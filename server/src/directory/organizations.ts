import { setTimeout as delay } from 'node:timers/promises';
import { serviceUnavailable } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { backgroundLevel, ignoreRefusedWrite } from '../db/failures.ts';
import type { Db } from '../db/schema.ts';
import type { Standbys } from '../db/standbys.ts';
import type { Bus } from '../log/bus/bus.ts';
import type { WakeUp } from '../log/bus/wake-up.ts';
import { createFlush, createStandbyProof } from '../log/durability.ts';
import { beginEpoch, confirmTimeline, type LogIdentity, readIdentity, readTimeline } from '../log/epoch.ts';
import { readEvents } from '../log/read.ts';
import { ResponseQueue } from '../log/response-queue.ts';
import type { Hooks } from './change.ts';
import type { Directory } from './directory.ts';
import { loadDirectory } from './load.ts';
import { Organization } from './organization.ts';
import type { AnyPart } from './part.ts';
import type { DirectoryPresenters } from './presenters.ts';
import type { ServerRules } from './server-rules.ts';

export interface OrganizationsOptions {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** See `StandbyReading`. */
  readonly standbys?: Standbys;
  /** A pool that our transactions never occupy. Code that holds a connection may wait for it without a deadlock. */
  readonly signals: pg.Pool;
  readonly bus: Bus;
  readonly presenters: DirectoryPresenters;
  readonly hooks: Hooks;
  /** The parts of features in the directory. */
  readonly directoryParts: readonly AnyPart[];
  readonly heartbeatMilliseconds: number;
  readonly serverRules: ServerRules;
  readonly log: Logger;
  /** How often to check for lost wake-ups, in milliseconds. */
  readonly lookEvery?: number;
}

/**
 * An organization that breaks again within this time after a reload is refused for as long, because reloading is
 * expensive. Milliseconds.
 */
const REPEATED_FAILURE_MS = 2000;

/** An organization without a request for this long is removed from memory, in milliseconds. */
const IDLE_TIMEOUT_MS = 30 * 60_000;
/**
 * Background work keeps it for this long, in milliseconds. Such work visits many idle organizations, for example to compose their digests, and
 * organizations whose requests go to another process.
 */
const BACKGROUND_IDLE_TIMEOUT_MS = 5 * 60_000;

/**
 * How long, in milliseconds, a subdomain without an organization is cached. The cache is bounded because clients choose
 * the subdomains.
 */
const UNKNOWN_FOR_MS = 5000;
const MAX_UNKNOWN_HOSTS = 10_000;

/** How often a process asks the others whether a promotion lost events of an organization, before it begins a new epoch. */
const MAX_QUESTIONS_TO_OTHERS = 2;
/** No event has this id. Each process confirms it after it has compared its copy with the log. */
const TIMELINE_QUESTION_ID = 0;
/** The pause before the second question. It is longer than the bus needs to reconnect. */
const RECONNECTION_MS = 1000;

/** The organizations that this process has in memory. Each is loaded on first use and removed when idle. */
export class Organizations {
  /** What features add to every change. */
  readonly hooks: Hooks;
  readonly directoryParts: readonly AnyPart[];
  readonly #options: OrganizationsOptions;
  readonly #flush: () => Promise<void>;
  /**
   * Resolves if the database is the primary; await it, and read again, before a client is told for good that something does not exist. After
   * a failover, a process can still read from the former primary, which lacks what was committed since.
   * @throws DatabaseUnavailableError, UnknownOutcomeError: no standby confirms
   */
  readonly confirmPrimary: () => Promise<void>;
  readonly #loaded = new Map<number, Promise<Organization | undefined>>();
  readonly #ready = new Map<number, Organization>();
  readonly #idBySubdomain = new Map<string, number>();
  /** When each entry expires, by subdomain. In the order of insertion. */
  readonly #unknownUntil = new Map<string, number>();
  readonly #brokeAt = new Map<number, number>();
  readonly #refusedUntil = new Map<number, number>();
  readonly #restored = new WeakSet<Organization>();
  readonly #line = new ResponseQueue();
  readonly #listeners: ((organization: Organization) => void)[] = [];
  readonly #look: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #closed = false;

  constructor(options: OrganizationsOptions) {
    this.#options = options;
    this.hooks = options.hooks;
    this.directoryParts = options.directoryParts;
    this.#flush = createFlush(options.signals);
    this.confirmPrimary = createStandbyProof(options.signals);
    options.bus.subscribe((wakeUp) => this.#wake(wakeUp));
    options.bus.onAsked((organizationId, eventId) => this.#applyUpTo(organizationId, eventId));
    this.#look = setInterval(() => this.#lookOnce(), options.lookEvery ?? 2000);
    this.#look.unref();
  }

  /** Returns the organization of the subdomain ('' is the root), or undefined if there is none. */
  async bySubdomain(subdomain: string): Promise<Organization | undefined> {
    const known = this.#idBySubdomain.get(subdomain);
    if (known !== undefined) {
      const organization = await this.#requested(known);
      if (organization !== undefined) return organization;
      // An import has replaced it.
      this.#idBySubdomain.delete(subdomain);
    }
    if (this.isUnknown(subdomain)) return undefined;
    const row = await this.#options.db
      .selectFrom('organizations')
      .select('id')
      .where('subdomain', '=', subdomain)
      .executeTakeFirst();
    if (row === undefined) {
      this.#noteUnknown(subdomain);
      return undefined;
    }
    this.#idBySubdomain.set(subdomain, row.id);
    return this.#requested(row.id);
  }

  async #requested(id: number): Promise<Organization | undefined> {
    const organization = await this.byId(id);
    if (organization !== undefined) organization.lastRequestedAt = Date.now();
    return organization;
  }

  /** Whether a recent query found no organization at the subdomain. */
  isUnknown(subdomain: string): boolean {
    return (this.#unknownUntil.get(subdomain) ?? 0) > Date.now();
  }

  #noteUnknown(subdomain: string): void {
    for (const [oldest, until] of this.#unknownUntil) {
      if (until > Date.now() && this.#unknownUntil.size < MAX_UNKNOWN_HOSTS) break;
      this.#unknownUntil.delete(oldest);
    }
    this.#unknownUntil.set(subdomain, Date.now() + UNKNOWN_FOR_MS);
  }

  /**
   * The same without waiting: returns the organization if it is in memory and its subdomain is known. Most requests
   * find it here.
   */
  readyAt(subdomain: string): Organization | undefined {
    const id = this.#idBySubdomain.get(subdomain);
    const ready = id === undefined ? undefined : this.#ready.get(id);
    if (ready !== undefined) ready.lastRequestedAt = Date.now();
    return ready;
  }

  /**
   * For background work, which keeps it in memory for a shorter time than requests do.
   * @throws ApiError 503: the organization broke twice within a short time
   */
  async byId(id: number): Promise<Organization | undefined> {
    const ready = this.#ready.get(id);
    if (ready !== undefined) {
      ready.lastUsedAt = Date.now();
      return ready;
    }
    if ((this.#refusedUntil.get(id) ?? 0) > Date.now()) {
      throw serviceUnavailable('The organization cannot be served now; please try again');
    }
    let loading = this.#loaded.get(id);
    if (loading === undefined) {
      loading = this.#load(id);
      this.#loaded.set(id, loading);
      loading.catch(() => this.#loaded.delete(id));
    }
    return loading;
  }

  /**
   * Calls the listener for each organization that is in memory now or is loaded later.
   * @param listener must not throw and must not wait
   */
  onLoaded(listener: (organization: Organization) => void): void {
    this.#listeners.push(listener);
    for (const organization of this.#ready.values()) listener(organization);
  }

  /** Returns the organization if it is in memory. Does not load it. */
  inMemoryById(id: number): Organization | undefined {
    return this.#ready.get(id);
  }

  /** Whether another process may have it in memory, and this one has not. */
  mayBeElsewhere(id: number): boolean {
    return this.#options.bus.announces && !this.#ready.has(id);
  }

  /** The organizations in memory. */
  get idsInMemory(): readonly number[] {
    return [...this.#ready.keys()];
  }

  /** Whether the organization still exists. If an import has replaced it, this process forgets it. */
  async isStillThere(id: number): Promise<boolean> {
    if ((await readIdentity(this.#options.db, id)) !== undefined) return true;
    const organization = this.#ready.get(id);
    if (organization !== undefined) this.#drop(organization);
    return false;
  }

  /** Of all organizations in memory: their number and their held polls. */
  get held(): { readonly organizations: number; readonly polls: number } {
    let polls = 0;
    for (const organization of this.#ready.values()) polls += organization.polls.waiting;
    return { organizations: this.#ready.size, polls };
  }

  /** The positions up to which this process has applied the logs, by organization. */
  get positions(): ReadonlyMap<number, number> {
    return new Map([...this.#ready].map(([id, { position }]) => [id, position]));
  }

  /** Responds to all held polls. New polls get a response at once. */
  stopHolding(): void {
    this.#closed = true;
    for (const organization of this.#ready.values()) organization.close();
  }

  async close(): Promise<void> {
    clearInterval(this.#look);
    this.stopHolding();
    await Promise.all([...this.#ready.values()].map((organization) => organization.settled()));
  }

  /** Removes idle organizations from memory. Their state is in the database. */
  dropIdle(): void {
    const now = Date.now();
    for (const [id, { lastRequestedAt, lastUsedAt, polls }] of this.#ready) {
      if (lastRequestedAt > now - IDLE_TIMEOUT_MS || lastUsedAt > now - BACKGROUND_IDLE_TIMEOUT_MS) continue;
      if (polls.waiting > 0) continue;
      this.#ready.delete(id);
      this.#loaded.delete(id);
    }
  }

  /** This process's copy of the organization is invalid: the next request loads it again. */
  #drop(organization: Organization): void {
    if (this.#ready.get(organization.id) !== organization) return;
    this.#ready.delete(organization.id);
    this.#loaded.delete(organization.id);
    organization.close();
  }

  /** The copy missed events that the log no longer keeps, because its process was paused for long. */
  #dropLost(organization: Organization): void {
    this.#options.log.warn({ organization: organization.id }, 'events were missed; reloading the organization');
    this.#drop(organization);
  }

  #dropBroken(organization: Organization, reason: unknown): void {
    const { id } = organization;
    this.#options.log.error({ err: reason, organization: id }, 'could not apply an event; reloading the organization');
    const now = Date.now();
    if (now - (this.#brokeAt.get(id) ?? 0) < REPEATED_FAILURE_MS) this.#refusedUntil.set(id, now + REPEATED_FAILURE_MS);
    this.#brokeAt.set(id, now);
    this.#drop(organization);
  }

  /**
   * Ids went back: a backup was restored while this process ran. Earlier queues are invalid. The next load finds the
   * new epoch. If starting it fails, the next check finds the organization unchanged and tries again.
   */
  async #dropRestored(organization: Organization): Promise<void> {
    const { id, epoch } = organization;
    if (this.#restored.has(organization)) return;
    this.#restored.add(organization);
    this.#options.log.error(
      { organization: id },
      'the log went back, so a backup was restored, or a promoted standby lacked commits; clients must register again',
    );
    try {
      await beginEpoch(this.#options.db, id, epoch);
    } catch (error) {
      this.#restored.delete(organization);
      throw error;
    }
    this.#drop(organization);
  }

  async #load(id: number): Promise<Organization | undefined> {
    const { db, pool, standbys, bus, presenters, hooks, heartbeatMilliseconds, log } = this.#options;
    const timeline = await readTimeline(db);
    const directory = await loadDirectory(db, id, this.directoryParts, this.#options.serverRules);
    const identity = directory === undefined ? undefined : await this.#confirmedIdentity(directory);
    if (directory === undefined || identity === undefined) {
      this.#loaded.delete(id);
      return undefined;
    }
    const [lastEvent] = await readEvents(db, id, directory.appliedThrough - 1, 1);
    // The event, the directory and the epoch must be of one timeline.
    if ((await readTimeline(db)) !== timeline) throw serviceUnavailable('The database has changed; please try again');
    // The last events of the snapshot may not be on disk yet. A reader must not continue from a position that a crash
    // could undo.
    await this.#flush();
    const organization: Organization = new Organization({
      db,
      pool,
      ...(standbys && { standbys }),
      bus,
      presenters,
      hooks,
      heartbeatMilliseconds,
      line: this.#line,
      flush: this.#flush,
      directory,
      epoch: identity.epoch,
      timeline,
      lastEvent: lastEvent?.id === directory.appliedThrough ? lastEvent : undefined,
      onBroken: (reason) => this.#dropBroken(organization, reason),
      onGoneBack: () => {
        this.#dropRestored(organization).catch((error) =>
          log[backgroundLevel(error)]({ err: error }, 'could not begin a new epoch'),
        );
      },
      log: log.child({ organization: id }),
    });
    if (this.#closed) organization.close();
    this.#ready.set(id, organization);
    // Events announced between the snapshot and now did not reach this copy.
    organization.catchUpSoon();
    for (const listener of this.#listeners) listener(organization);
    return organization;
  }

  /**
   * The identity of the log, whose epoch is confirmed on the timeline of the database. Other processes may know that a
   * promotion lost nothing: they are asked. If none does, a new epoch begins.
   */
  async #confirmedIdentity({ organization: { id } }: Directory): Promise<LogIdentity | undefined> {
    const { db, bus, log } = this.#options;
    for (let asked = 0; ; asked += 1) {
      const identity = await readIdentity(db, id);
      if (identity === undefined || identity.timeline === null) return identity;
      const { epoch, confirmedOn, timeline } = identity;
      if (confirmedOn === timeline) return identity;
      if (confirmedOn === null) {
        await confirmTimeline(db, id, { epoch, timeline }).catch(ignoreRefusedWrite);
        return identity;
      }
      if (asked < MAX_QUESTIONS_TO_OTHERS && bus.announces) {
        // After a promotion, the others also need a moment to reconnect.
        if (asked > 0) await delay(RECONNECTION_MS);
        await bus.appliedByOthers(id, TIMELINE_QUESTION_ID);
        continue;
      }
      log.warn(
        { organization: id },
        'the database was promoted or restored while no process had this organization in memory; clients must register again',
      );
      await beginEpoch(db, id, epoch);
    }
  }

  /**
   * The organization in the epoch that its log has now. A copy of another epoch is dropped. Undefined if the organization
   * no longer exists.
   */
  async inPresentEpoch(organization: Organization): Promise<Organization | undefined> {
    const identity = await readIdentity(this.#options.db, organization.id);
    if (identity?.epoch !== organization.epoch) this.#drop(organization);
    return this.byId(organization.id);
  }

  #wake(wakeUp: WakeUp | undefined): void {
    // Another process may just have created an organization.
    if (wakeUp === undefined || !this.#ready.has(wakeUp.organizationId)) this.#unknownUntil.clear();
    if (wakeUp !== undefined) this.#ready.get(wakeUp.organizationId)?.wake(wakeUp);
    else for (const organization of this.#ready.values()) organization.catchUpSoon();
  }

  /** Resolves when no request to this process can meet a state before the event. */
  async #applyUpTo(organizationId: number, eventId: number): Promise<void> {
    // A copy that is being loaded knows nothing of an earlier timeline. It may be waiting for the process that asks.
    const isAboutTimeline = eventId === TIMELINE_QUESTION_ID;
    const organization = isAboutTimeline ? this.#ready.get(organizationId) : await this.#loaded.get(organizationId);
    if (organization === undefined) return;
    try {
      await this.#followTimeline(organization);
      await organization.reached(eventId);
    } catch (error) {
      // If the copy was dropped, the next request loads a newer one.
      if (this.#ready.get(organizationId) === organization) throw error;
    }
  }

  /** Compares the log with this copy, if the database was promoted. */
  async #followTimeline(organization: Organization): Promise<void> {
    const { position } = organization;
    const timeline = await readTimeline(this.#options.db);
    if (!(await organization.followTimeline(timeline, position))) await this.#dropRestored(organization);
  }

  /** Runs one check at a time, however slow the database is. */
  #lookOnce(): void {
    this.#looking ??= this.#lookForGrowth().finally(() => {
      this.#looking = undefined;
    });
  }

  /** Checks for missed commits: the bus may lose a wake-up, or a process may die between its commit and the wake-up. */
  async #lookForGrowth(): Promise<void> {
    if (this.#ready.size === 0) return;
    // Taken before the query. An event committed meanwhile may be known here but missing in the result.
    const positions = new Map([...this.#ready.values()].map((organization) => [organization, organization.position]));
    try {
      const rows = await this.#options.db
        .selectFrom('logs')
        .select(['organization_id', 'head', 'trimmed_through', 'epoch'])
        .select(sql<string | null>`(SELECT heddle_timeline())`.as('timeline'))
        .where('organization_id', 'in', [...this.#ready.keys()])
        .execute();
      for (const row of rows) {
        const organization = this.#ready.get(row.organization_id);
        if (organization === undefined) continue;
        const position = positions.get(organization) ?? 0;
        if (row.epoch !== organization.epoch) this.#drop(organization);
        else if (row.head < position) await this.#dropRestored(organization);
        else if (!(await organization.followTimeline(row.timeline, position))) await this.#dropRestored(organization);
        else if (row.trimmed_through > organization.position) this.#dropLost(organization);
        else if (row.head > organization.position) organization.catchUpSoon();
        organization.trimmedThrough(row.trimmed_through);
      }
      const found = new Set(rows.map((row) => row.organization_id));
      for (const organization of positions.keys()) if (!found.has(organization.id)) this.#drop(organization);
    } catch (error) {
      this.#options.log[backgroundLevel(error)]({ err: error }, 'could not check the logs for missed events');
    }
  }
}
