import { serviceUnavailable } from '@heddle/api/errors.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';
import { AnswerLine } from '../log/answer-line.ts';
import type { Bus } from '../log/bus.ts';
import { createFlush } from '../log/durability.ts';
import { beginEpoch, readEpoch } from '../log/epoch.ts';
import type { ServerRules } from './directory.ts';
import { loadDirectory } from './load.ts';
import { Organization } from './organization.ts';
import type { DirectoryPresenters } from './presenters.ts';

export interface OrganizationsOptions {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** A pool that no transaction of ours occupies: for what a holder of connections must wait for. */
  readonly signals: pg.Pool;
  readonly bus: Bus;
  readonly presenters: DirectoryPresenters;
  readonly heartbeatMilliseconds: number;
  readonly serverRules: ServerRules;
  readonly log: Logger;
  /** How often to look for wake-ups that got lost, in milliseconds. */
  readonly lookEvery?: number;
}

/** One that breaks again this soon after it was loaded anew is refused for as long: loading it costs others too. Milliseconds. */
const BREAKS_WITHIN = 2000;

/** An organization that nobody has asked for in this long is dropped from memory, in milliseconds. */
const IDLE = 30 * 60_000;

/**
 * For how long, in milliseconds, the database is not asked again about a subdomain where there was no organization; of so many, since they are
 * whatever clients send.
 */
const UNKNOWN_FOR = 5000;
const MOST_UNKNOWN = 10_000;

/** The organizations that this process has in memory; each is loaded on first use and dropped when idle. */
export class Organizations {
  readonly #options: OrganizationsOptions;
  readonly #flush: () => Promise<void>;
  readonly #loaded = new Map<number, Promise<Organization | undefined>>();
  readonly #ready = new Map<number, Organization>();
  readonly #idBySubdomain = new Map<string, number>();
  /** Until when there is none, by subdomain; in the order in which that was found. */
  readonly #unknownUntil = new Map<string, number>();
  readonly #brokeAt = new Map<number, number>();
  readonly #refusedUntil = new Map<number, number>();
  readonly #restored = new WeakSet<Organization>();
  readonly #line = new AnswerLine();
  readonly #listeners: ((organization: Organization) => void)[] = [];
  readonly #look: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #closed = false;

  constructor(options: OrganizationsOptions) {
    this.#options = options;
    this.#flush = createFlush(options.signals);
    options.bus.subscribe((organizationId) => this.#wake(organizationId));
    this.#look = setInterval(() => this.#lookOnce(), options.lookEvery ?? 2000);
    this.#look.unref();
  }

  /** The organization at the subdomain ('' is the root); undefined where there is none. */
  async bySubdomain(subdomain: string): Promise<Organization | undefined> {
    const known = this.#idBySubdomain.get(subdomain);
    if (known !== undefined) return this.byId(known);
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
    return this.byId(row.id);
  }

  /** Whether the database said a moment ago that there is none at the subdomain. */
  isUnknown(subdomain: string): boolean {
    return (this.#unknownUntil.get(subdomain) ?? 0) > Date.now();
  }

  #noteUnknown(subdomain: string): void {
    for (const [oldest, until] of this.#unknownUntil) {
      if (until > Date.now() && this.#unknownUntil.size < MOST_UNKNOWN) break;
      this.#unknownUntil.delete(oldest);
    }
    this.#unknownUntil.set(subdomain, Date.now() + UNKNOWN_FOR);
  }

  /** The same if it is in memory and its place known: what most requests find, without waiting. */
  readyAt(subdomain: string): Organization | undefined {
    const id = this.#idBySubdomain.get(subdomain);
    const ready = id === undefined ? undefined : this.#ready.get(id);
    if (ready !== undefined) ready.lastUsedAt = Date.now();
    return ready;
  }

  /**
   * @throws ApiError 503: it came apart twice within a short time
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
   * Tells of each organization that is in memory, and of each that is loaded from now on.
   * @param listener must not throw and must not wait
   */
  onLoaded(listener: (organization: Organization) => void): void {
    this.#listeners.push(listener);
    for (const organization of this.#ready.values()) listener(organization);
  }

  /** The organization if it is in memory; does not load it. */
  inMemoryById(id: number): Organization | undefined {
    return this.#ready.get(id);
  }

  /** Answers everybody who waits for events; new polls are answered at once. */
  stopHolding(): void {
    this.#closed = true;
    for (const organization of this.#ready.values()) organization.close();
  }

  async close(): Promise<void> {
    clearInterval(this.#look);
    this.stopHolding();
    await Promise.all([...this.#ready.values()].map((organization) => organization.settled()));
  }

  /** Drops the organizations that nobody uses; what they held is in the database. */
  dropIdle(): void {
    const before = Date.now() - IDLE;
    for (const [id, organization] of this.#ready) {
      if (organization.lastUsedAt > before || organization.polls.waiting > 0) continue;
      this.#ready.delete(id);
      this.#loaded.delete(id);
    }
  }

  /** What this process has of the organization is not right any more: the next request loads it anew. */
  #drop(organization: Organization): void {
    if (this.#ready.get(organization.id) !== organization) return;
    this.#ready.delete(organization.id);
    this.#loaded.delete(organization.id);
    organization.close();
  }

  /** It has missed events that are no longer kept: its process was stopped for long. */
  #dropLost(organization: Organization): void {
    this.#options.log.warn({ organization: organization.id }, 'events were missed; the organization is loaded anew');
    this.#drop(organization);
  }

  #dropBroken(organization: Organization, reason: unknown): void {
    const { id } = organization;
    this.#options.log.error(
      { err: reason, organization: id },
      'an event could not be taken in; the organization is loaded anew',
    );
    const now = Date.now();
    if (now - (this.#brokeAt.get(id) ?? 0) < BREAKS_WITHIN) this.#refusedUntil.set(id, now + BREAKS_WITHIN);
    this.#brokeAt.set(id, now);
    this.#drop(organization);
  }

  /**
   * Ids have gone back: a backup was restored while this process ran. Queues of the time before it are no more. Whoever loads the
   * organization finds the other epoch; where that cannot be begun, the next look finds the organization here as it was.
   */
  async #dropRestored(organization: Organization): Promise<void> {
    const { id, epoch } = organization;
    if (this.#restored.has(organization)) return;
    this.#restored.add(organization);
    this.#options.log.error(
      { organization: id },
      'the log has gone back, so a backup was restored; clients begin anew',
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
    const { db, pool, bus, presenters, heartbeatMilliseconds, log } = this.#options;
    const directory = await loadDirectory(db, id, this.#options.serverRules);
    const epoch = await readEpoch(db, id);
    if (directory === undefined || epoch === undefined) {
      this.#loaded.delete(id);
      return undefined;
    }
    // The snapshot's last events may not be durable yet: readers must not go on from a position that could be lost.
    await this.#flush();
    const organization: Organization = new Organization({
      db,
      pool,
      bus,
      presenters,
      heartbeatMilliseconds,
      line: this.#line,
      flush: this.#flush,
      directory,
      epoch,
      onBroken: (reason) => this.#dropBroken(organization, reason),
      onGoneBack: () => {
        this.#dropRestored(organization).catch((error) => log.warn({ err: error }, 'no other epoch could be begun'));
      },
      log: log.child({ organization: id }),
    });
    if (this.#closed) organization.close();
    this.#ready.set(id, organization);
    // What was announced between the snapshot and now reached nobody here.
    organization.catchUpSoon();
    for (const listener of this.#listeners) listener(organization);
    return organization;
  }

  #wake(organizationId: number | undefined): void {
    // It may be one that another process has just made.
    if (organizationId === undefined || !this.#ready.has(organizationId)) this.#unknownUntil.clear();
    if (organizationId !== undefined) this.#ready.get(organizationId)?.catchUpSoon();
    else for (const organization of this.#ready.values()) organization.catchUpSoon();
  }

  /** One look at a time, however long the database takes. */
  #lookOnce(): void {
    this.#looking ??= this.#lookForGrowth().finally(() => {
      this.#looking = undefined;
    });
  }

  /** The bus may lose a wake-up, or a process may die between its commit and the wake-up: look now and then. */
  async #lookForGrowth(): Promise<void> {
    if (this.#ready.size === 0) return;
    // From before the question: what is committed meanwhile may be known here and not in the answer.
    const positions = new Map([...this.#ready.values()].map((organization) => [organization, organization.position]));
    try {
      const rows = await this.#options.db
        .selectFrom('logs')
        .select(['organization_id', 'head', 'trimmed_through', 'epoch'])
        .where('organization_id', 'in', [...this.#ready.keys()])
        .execute();
      for (const row of rows) {
        const organization = this.#ready.get(row.organization_id);
        if (organization === undefined) continue;
        if (row.epoch !== organization.epoch) this.#drop(organization);
        else if (row.head < (positions.get(organization) ?? 0)) await this.#dropRestored(organization);
        else if (row.trimmed_through > organization.position) this.#dropLost(organization);
        else if (row.head > organization.position) organization.catchUpSoon();
        organization.trimmedThrough(row.trimmed_through);
      }
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the logs cannot be looked at');
    }
  }
}
