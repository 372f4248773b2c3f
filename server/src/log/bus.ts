import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { backendOf } from '../db/backend.ts';
import { breakOff } from '../db/break-off.ts';
import type { ConnectionSettings } from '../db/connection-settings.ts';
import { DatabaseClient } from '../db/database-client.ts';
import { backgroundLevel } from '../db/failures.ts';
import type { Db } from '../db/schema.ts';
import { BACKGROUND_TIMEOUT_MS, HEALTH_CHECK_TIMEOUT_MS, KEEP_ALIVE_DELAY_MS } from '../db/timeouts.ts';
import { type ApplyUpTo, Confirmations, LISTENER_NAME } from './confirmations.ts';

const CHANNEL = 'heddle_log';
const REPORT_ASKED = /^report (\S{1,60})$/;

/**
 * How processes wake each other. A wake-up only says that the log of an organization has grown. Wake-ups may be lost,
 * repeated or reordered: readers take the events from the table, so they still miss none.
 */
export interface Bus {
  publish(organizationId: number): void;
  /** Calls `wake` for each wake-up from another process, and with undefined if wake-ups may have been lost. */
  subscribe(wake: (organizationId: number | undefined) => void): void;
  /**
   * Resolves when all other processes have applied the event, so that no request can meet an older state. It has a bound
   * (`confirmations.ts`), and never rejects.
   */
  appliedByOthers(organizationId: number, eventId: number): Promise<void>;
  /** How this process applies an event that another one asks it to confirm. */
  onAsked(applyUpTo: ApplyUpTo): void;
  /** Calls `report` when a command asks all processes to report themselves (`askForReports`). */
  onReportAsked(report: (question: string) => void): void;
  /** Whether other processes may use the database. */
  readonly announces: boolean;
  /** Whether wake-ups of other processes arrive now. */
  readonly isListening: boolean;
  close(): Promise<void>;
}

export interface BusOptions {
  /** A pool that has not opened a connection yet, because the bus must see each of them connect. */
  readonly pool: pg.Pool;
  readonly settings: ConnectionSettings;
  readonly log: Logger;
  /** False if only one process serves. It listens, so that commands can reach it, but announces nothing. */
  readonly announces: boolean;
}

/** Asks all processes that hear the bus to report themselves. @param question of at most 60 characters, without spaces */
export async function askForReports(db: Db, question: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${`report ${question}`})`.execute(db);
}

/** The bus over PostgreSQL's `LISTEN` and `NOTIFY`. */
export function createBus(options: BusOptions): Bus {
  const own = backendsOf(options.pool);
  const announcer = options.announces ? createAnnouncer(options) : undefined;
  const confirmations: Confirmations = new Confirmations({
    pool: options.pool,
    channel: CHANNEL,
    listener: () => listener.connected(),
    log: options.log,
  });
  const listener = createListener(options, own, confirmations);
  return {
    publish: (organizationId) => announcer?.publish(organizationId),
    subscribe: (wake) => listener.subscribe(wake),
    appliedByOthers: (organizationId, eventId) =>
      options.announces ? confirmations.appliedByOthers(organizationId, eventId) : Promise.resolve(),
    announces: options.announces,
    onAsked: (applyUpTo) => confirmations.onAsked(applyUpTo),
    onReportAsked: (report) => listener.onReportAsked(report),
    get isListening() {
      return listener.isListening;
    },
    async close() {
      await announcer?.settled();
      await listener.close();
    },
  };
}

/**
 * The ids of the PostgreSQL backends of the pool's connections. A wake-up contains the id of its sender, so own
 * wake-ups are ignored.
 */
function backendsOf(pool: pg.Pool): ReadonlySet<number> {
  const backends = new Set<number>();
  pool.on('connect', (client) => {
    backends.add(backendOf(client));
    // A connection of another process may get this id next.
    client.once('end', () => backends.delete(backendOf(client)));
  });
  return backends;
}

/** Sends one wake-up for everything that was published while the previous one was on its way. */
function createAnnouncer({ pool, log }: BusOptions) {
  const grown = new Set<number>();
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    while (grown.size > 0) {
      const organizations = [...grown];
      grown.clear();
      try {
        await pool.query('SELECT pg_notify($1, id::text) FROM unnest($2::int[]) AS id', [CHANNEL, organizations]);
      } catch (error) {
        log[backgroundLevel(error)]({ err: error }, 'cannot wake the other processes');
      }
    }
    sending = undefined;
  }

  return {
    publish(organizationId: number) {
      grown.add(organizationId);
      sending ??= send();
    },
    settled: () => sending ?? Promise.resolve(),
  };
}

/** Listens on its own connection. If that breaks, it opens a new one and reports that wake-ups may have been lost. */
function createListener({ settings, log }: BusOptions, own: ReadonlySet<number>, confirmations: Confirmations) {
  const listeners: ((organizationId: number | undefined) => void)[] = [];
  let report: (question: string) => void = () => undefined;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  let isListening = false;
  /** Whether the log already says that the connection is lost. */
  let isLost = false;
  let connecting: Promise<void> | undefined;

  function wakeAll(organizationId: number | undefined): void {
    for (const listener of listeners) listener(organizationId);
  }

  async function connect(): Promise<void> {
    const fresh = new DatabaseClient({
      ...settings,
      application_name: LISTENER_NAME,
      connectionTimeoutMillis: BACKGROUND_TIMEOUT_MS,
      query_timeout: BACKGROUND_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    });
    let broken = false;
    const onBroken = (error?: Error) => {
      if (broken) return;
      broken = true;
      isListening = false;
      fresh.end().catch(() => undefined);
      if (closed) return;
      // One line for an outage, and not one for each attempt.
      log[isLost ? 'debug' : 'warn']({ err: error }, 'the bus lost its database connection; it reconnects');
      isLost = true;
      retry = setTimeout(start, 500);
    };
    fresh.on('error', onBroken);
    fresh.on('end', () => onBroken());
    fresh.on('notification', (message) => {
      // This process already has the events that it committed itself.
      if (own.has(message.processId)) return;
      const { payload = '' } = message;
      if (confirmations.take(payload, message.processId, fresh)) return;
      const [, question] = REPORT_ASKED.exec(payload) ?? [];
      if (question !== undefined) report(question);
      const organizationId = Number(payload);
      if (Number.isInteger(organizationId)) wakeAll(organizationId);
    });
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      client = fresh;
      isListening = !broken;
      isLost = broken;
      wakeAll(undefined);
    } catch (error) {
      onBroken(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function start(): void {
    connecting = connect();
  }

  return {
    get isListening() {
      return isListening;
    },
    /** The connection; undefined if there is none now. Waits for a first attempt. */
    async connected(): Promise<pg.Client | undefined> {
      await connecting;
      return isListening ? client : undefined;
    },
    onReportAsked(asked: (question: string) => void) {
      report = asked;
    },
    subscribe(wake: (organizationId: number | undefined) => void) {
      listeners.push(wake);
      if (listeners.length === 1) start();
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await connecting;
      if (client === undefined) return;
      const listening = client;
      // A database that does not respond does not close the connection either.
      const giveUp = setTimeout(() => breakOff(listening), HEALTH_CHECK_TIMEOUT_MS);
      await listening.end().catch(() => undefined);
      clearTimeout(giveUp);
    },
  };
}
