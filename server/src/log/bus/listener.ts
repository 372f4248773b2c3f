import type pg from 'pg';
import type { Logger } from 'pino';
import { breakOff } from '../../db/break-off.ts';
import type { ConnectionSettings } from '../../db/connection-settings.ts';
import { DatabaseClient } from '../../db/database-client.ts';
import { BACKGROUND_TIMEOUT_MS, HEALTH_CHECK_TIMEOUT_MS, KEEP_ALIVE_DELAY_MS } from '../../db/timeouts.ts';
import { type Confirmations, LISTENER_NAME } from './confirmations.ts';
import { CHANNEL } from './notify-carrier.ts';

export interface ListenerOptions {
  readonly settings: ConnectionSettings;
  readonly log: Logger;
  /** The backends of this process, whose notifications it ignores. */
  readonly own: ReadonlySet<number>;
  readonly confirmations: Confirmations;
  /** Receives each text of another process; undefined if some may have been lost. */
  readonly onText: (text: string | undefined) => void;
}

/** Listens on its own connection. If that breaks, it opens a new one and reports that wake-ups may have been lost. */
export function createListener({ settings, log, own, confirmations, onText }: ListenerOptions) {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  let isListening = false;
  /** Whether the log already says that the connection is lost. */
  let isLost = false;
  let connecting: Promise<void> | undefined;

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
      if (!confirmations.take(payload, message.processId, fresh)) onText(payload);
    });
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      client = fresh;
      isListening = !broken;
      isLost = broken;
      onText(undefined);
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
    start,
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
