import pg from 'pg';
import type { Logger } from 'pino';
import { breakOff } from '../db/break-off.ts';
import type { ConnectionSettings } from '../db/pool.ts';
import { BACKGROUND, KEEP_ALIVE, PULSE } from '../db/waits.ts';

const CHANNEL = 'heddle_log';

/**
 * How processes wake each other: a wake-up names an organization whose log has grown, and carries nothing else. It may be lost,
 * repeated or reordered; readers lose nothing by that.
 */
export interface Bus {
  publish(organizationId: number): void;
  /** Calls back for every wake-up from another process, and with undefined where some may have been missed. */
  subscribe(wake: (organizationId: number | undefined) => void): void;
  close(): Promise<void>;
}

export interface BusOptions {
  /** No connection of it stands yet. */
  readonly pool: pg.Pool;
  readonly settings: ConnectionSettings;
  readonly log: Logger;
  /** False for one serving process: it listens, so that the command line can reach it, but has nobody to tell. */
  readonly announces: boolean;
}

/** The `postgres` driver, and the `local` one, which is the same without announcing. */
export function createBus(options: BusOptions): Bus {
  const own = backendsOf(options.pool);
  const announcer = options.announces ? createAnnouncer(options) : undefined;
  const listener = createListener(options, own);
  return {
    publish: (organizationId) => announcer?.publish(organizationId),
    subscribe: (wake) => listener.subscribe(wake),
    async close() {
      await announcer?.settled();
      await listener.close();
    },
  };
}

/** The ids of the server processes behind a pool's connections, by which a wake-up tells who sent it. */
function backendsOf(pool: pg.Pool): ReadonlySet<number> {
  const backends = new Set<number>();
  const idOf = (client: pg.PoolClient) => ('processID' in client ? Number(client.processID) : 0);
  pool.on('connect', (client) => {
    backends.add(idOf(client));
    // Another's connection may get the number next.
    client.once('end', () => backends.delete(idOf(client)));
  });
  return backends;
}

/** Wakes the others once for all that was published while the last wake-up was being sent. */
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
        log.warn({ err: error }, 'a wake-up was not sent');
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

/** Listens on a connection of its own; makes a new one when it breaks, and says then that wake-ups may have been missed. */
function createListener({ settings, log }: BusOptions, own: ReadonlySet<number>) {
  const listeners: ((organizationId: number | undefined) => void)[] = [];
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  let connecting: Promise<void> | undefined;

  function tell(organizationId: number | undefined): void {
    for (const listener of listeners) listener(organizationId);
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      ...settings,
      application_name: 'heddle bus',
      connectionTimeoutMillis: BACKGROUND,
      query_timeout: BACKGROUND,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
    });
    let broken = false;
    const onBroken = (error?: Error) => {
      if (broken) return;
      broken = true;
      fresh.end().catch(() => undefined);
      if (closed) return;
      log.warn({ err: error }, 'the bus lost its connection');
      retry = setTimeout(start, 500);
    };
    fresh.on('error', onBroken);
    fresh.on('end', () => onBroken());
    fresh.on('notification', (message) => {
      // What this process has committed it knows.
      if (own.has(message.processId)) return;
      const organizationId = Number(message.payload);
      if (Number.isInteger(organizationId)) tell(organizationId);
    });
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      client = fresh;
      tell(undefined);
    } catch (error) {
      onBroken(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function start(): void {
    connecting = connect();
  }

  return {
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
      // A database that does not answer does not say goodbye either.
      const giveUp = setTimeout(() => breakOff(listening), PULSE);
      await listening.end().catch(() => undefined);
      clearTimeout(giveUp);
    },
  };
}
