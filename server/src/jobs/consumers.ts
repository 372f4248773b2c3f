import type pg from 'pg';
import type { Logger } from 'pino';
import { backgroundLevel } from '../db/failures.ts';
import type { Db, DbTransaction } from '../db/schema.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Directory } from '../directory/directory.ts';
import type { Organization } from '../directory/organization.ts';
import type { Organizations } from '../directory/organizations.ts';
import { type Behind, organizationsBehind, readOn } from '../log/consumer.ts';
import type { LoggedEvent } from '../log/event.ts';
import { LeftToOthers } from './left-to-others.ts';
import { RetryPauses } from './retry-pauses.ts';
import { stopAll, WorkerLoop } from './worker-loop.ts';

/** A background reader of the logs of organizations that have a cursor for it (`addCursor` in log/consumer.ts). */
export interface LogConsumer {
  /** Unique among all consumers. It is stored in the database, so it must never change. */
  readonly name: string;
  /** Whether it reads the logs of all organizations. Otherwise `addCursor` names them, one by one. */
  readonly isForAll?: boolean;
  /** Prepares the reading of further events. The directory includes all events that will be read. */
  reader(organization: Organization): Promise<EventReader>;
  /** Whether an event must be read at once. The others are read within a second. Default: none is urgent. */
  isUrgent?(event: LoggedEvent, directory: Directory): boolean;
}

export interface EventReader {
  /** The types of events that it needs. None: it skips all events until now. */
  readonly types: readonly string[];
  /** Handles at least one event in the transaction that moves the cursor. */
  read(db: DbTransaction, events: readonly LoggedEvent[]): Promise<Consumed>;
}

export interface Consumed {
  /** How many of the events it has handled. */
  readonly handled: number;
  /** Called after the commit. */
  readonly afterCommit?: () => void;
}

/** Organizations per look. */
const ORGANIZATIONS_PER_LOOK = 20;
/** Pages of an organization before the next organization has its turn. */
const PAGES_PER_TURN = 10;

interface ConsumersOptions {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly organizations: Pick<Organizations, 'byId' | 'idsInMemory' | 'mayBeElsewhere'>;
  readonly log: Logger;
}

/** Runs the consumers of the log, each in a loop of its own. All processes of the database share the work. */
export class LogConsumers {
  readonly #options: ConsumersOptions;
  readonly #loops = new Map<string, WorkerLoop>();
  readonly #pauses = new RetryPauses();
  readonly #others = new LeftToOthers();
  /** The calls of `settled` that wait. */
  #settling = 0;

  constructor(options: ConsumersOptions) {
    this.#options = options;
  }

  /** The names of the consumers that this server runs. */
  get names(): readonly string[] {
    return [...this.#loops.keys()];
  }

  start(consumers: readonly LogConsumer[]): void {
    for (const consumer of consumers) {
      if (this.#loops.has(consumer.name)) throw new Error(`two consumers have the name ${consumer.name}`);
      const listening = new WeakSet<Organization>();
      const loop = new WorkerLoop({
        name: `reading logs: ${consumer.name}`,
        log: this.#options.log,
        look: () => this.#readAll(consumer, (organization) => this.#listen(consumer, organization, listening)),
      });
      this.#loops.set(consumer.name, loop);
      loop.start();
    }
  }

  /** Resolves when each consumer has read what it can read now. Pauses after failures end at once, and nothing is left to others. */
  async settled(): Promise<void> {
    this.#pauses.endAll();
    this.#settling += 1;
    try {
      for (const loop of this.#loops.values()) await loop.settled();
    } finally {
      this.#settling -= 1;
    }
  }

  async stop(withinMilliseconds: number): Promise<void> {
    await stopAll([...this.#loops.values()], withinMilliseconds);
  }

  #listen({ name, isUrgent }: LogConsumer, organization: Organization, listening: WeakSet<Organization>): void {
    if (isUrgent === undefined || listening.has(organization)) return;
    listening.add(organization);
    organization.onEvent((event) => {
      if (isUrgent(event, organization.directory)) this.#loops.get(name)?.wake();
    });
  }

  /** Returns whether there is more to read now. An organization that fails pauses, and delays no other one. */
  async #readAll(consumer: LogConsumer, opened: (organization: Organization) => void): Promise<boolean> {
    const { db, log, organizations } = this.#options;
    const behind = await organizationsBehind(db, consumer.name, {
      limit: ORGANIZATIONS_PER_LOOK,
      addsMissing: consumer.isForAll === true,
      first: organizations.idsInMemory,
    });
    let succeeded = 0;
    let hasMore = false;
    for (const { id, position } of behind) {
      const key = `${consumer.name} ${id}`;
      if (this.#pauses.left(key) > 0 || this.#isLeft(key, { id, position })) continue;
      try {
        hasMore = (await this.#readOne(consumer, id, opened)) || hasMore;
        this.#pauses.end(key);
        succeeded += 1;
      } catch (error) {
        const milliseconds = this.#pauses.afterFailure(key);
        const facts = { err: error, organization: id, consumer: consumer.name, milliseconds };
        // The log reports an outage of the database once, for everyone (ARCHITECTURE.md, "Bounds").
        log[backgroundLevel(error)](facts, 'reading the log failed; it will be retried');
      }
    }
    return hasMore || (succeeded > 0 && behind.length === ORGANIZATIONS_PER_LOOK);
  }

  /** Whether another process, which may have the organization in memory, should read its log. */
  #isLeft(key: string, { id, position }: Behind): boolean {
    if (this.#settling > 0 || !this.#options.organizations.mayBeElsewhere(id)) {
      this.#others.end(key);
      return false;
    }
    return this.#others.leaves(key, position);
  }

  /** Returns whether there is more to read. */
  async #readOne(consumer: LogConsumer, id: number, opened: (organization: Organization) => void): Promise<boolean> {
    const organization = await this.#options.organizations.byId(id);
    if (organization === undefined) return false;
    opened(organization);
    await organization.catchUp();
    for (let page = 0; page < PAGES_PER_TURN; page += 1) {
      if (!(await this.#readPage(consumer, organization))) return false;
    }
    return true;
  }

  async #readPage({ name, reader }: LogConsumer, organization: Organization): Promise<boolean> {
    // The directory knows everything that the events up to this position name.
    const through = organization.position;
    const { types, read } = await reader(organization);
    const afterCommit: (() => void)[] = [];
    const { hasMore, hasMissed } = await inTransaction(this.#options.pool, ({ db }) =>
      readOn(db, {
        organizationId: organization.id,
        consumer: name,
        types,
        through,
        recent: (after) => organization.recentEvents(after),
        async handle(events) {
          const consumed = await read(db, events);
          if (consumed.afterCommit !== undefined) afterCommit.push(consumed.afterCommit);
          return consumed.handled;
        },
      }),
    );
    if (hasMissed) {
      this.#options.log.error(
        { organization: organization.id, consumer: name },
        'events were deleted before they were read',
      );
    }
    for (const act of afterCommit) act();
    return hasMore;
  }
}
