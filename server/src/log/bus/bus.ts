import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { NatsServers } from '../../config/nats-servers.ts';
import { backendOf } from '../../db/backend.ts';
import type { ConnectionSettings } from '../../db/connection-settings.ts';
import type { Db } from '../../db/schema.ts';
import { Announcer } from './announcer.ts';
import { type ApplyUpTo, Confirmations } from './confirmations.ts';
import { createListener } from './listener.ts';
import { NatsCarrier } from './nats-carrier.ts';
import { CHANNEL, NotifyCarrier } from './notify-carrier.ts';
import { type CarriedEvents, decodeWakeUp, type WakeUp } from './wake-up.ts';

const REPORT_ASKED = /^report (\S{1,60})$/;

/**
 * How processes wake each other. A wake-up says that the log of an organization has grown, and mostly carries the events. Wake-ups may be
 * lost, repeated or reordered: readers take what they lack from the table, so they still miss none.
 */
export interface Bus {
  /** @param carried durable events that this process has committed */
  publish(organizationId: number, carried?: CarriedEvents): void;
  /** Calls `wake` for each wake-up from another process, and with undefined if wake-ups may have been lost. */
  subscribe(wake: (wakeUp: WakeUp | undefined) => void): void;
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
  /** Whether NATS carries wake-ups now. Undefined: the settings name no servers of NATS. */
  readonly hasNats: boolean | undefined;
  close(): Promise<void>;
}

export interface BusOptions {
  /** A pool that has not opened a connection yet, because the bus must see each of them connect. */
  readonly pool: pg.Pool;
  readonly settings: ConnectionSettings;
  readonly log: Logger;
  /** False if only one process serves. It listens, so that commands can reach it, but announces nothing. */
  readonly announces: boolean;
  /** Wake-ups then go through NATS while it is connected. */
  readonly nats?: { readonly servers: NatsServers; readonly secret: Buffer };
}

/** Asks all processes that hear the bus to report themselves. @param question of at most 60 characters, without spaces */
export async function askForReports(db: Db, question: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${`report ${question}`})`.execute(db);
}

/** The bus over PostgreSQL's `LISTEN` and `NOTIFY`, and over NATS. Confirmations always go through PostgreSQL, which knows who listens. */
export function createBus({ pool, settings, log, announces, nats }: BusOptions): Bus {
  const own = backendsOf(pool);
  const subscribers: ((wakeUp: WakeUp | undefined) => void)[] = [];
  let report: (question: string) => void = () => undefined;
  const onText = (text: string | undefined): void => {
    const [, question] = REPORT_ASKED.exec(text ?? '') ?? [];
    if (question !== undefined) {
      report(question);
      return;
    }
    const wakeUp = text === undefined ? undefined : decodeWakeUp(text);
    if (text !== undefined && wakeUp === undefined) return;
    for (const wake of subscribers) wake(wakeUp);
  };
  const confirmations: Confirmations = new Confirmations({
    pool,
    channel: CHANNEL,
    listener: () => listener.connected(),
    log,
  });
  const listener = createListener({ settings, log, own, confirmations, onText });
  const carrier = nats && new NatsCarrier({ ...nats, log, onText });
  const announcer = new Announcer([...(carrier ? [carrier] : []), new NotifyCarrier(pool)], log);
  return {
    publish(organizationId, carried) {
      if (announces) announcer.publish(organizationId, carried);
    },
    subscribe(wake) {
      subscribers.push(wake);
      if (subscribers.length > 1) return;
      listener.start();
      carrier?.start();
    },
    appliedByOthers: (organizationId, eventId) =>
      announces ? confirmations.appliedByOthers(organizationId, eventId) : Promise.resolve(),
    announces,
    onAsked: (applyUpTo) => confirmations.onAsked(applyUpTo),
    onReportAsked(given) {
      report = given;
    },
    get isListening() {
      return listener.isListening;
    },
    get hasNats() {
      return carrier?.isReady;
    },
    async close() {
      await announcer.settled();
      await carrier?.close();
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
