import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { NatsServers } from '../../config/nats-servers.ts';
import { timeoutOf } from '../../config/timeout-factor.ts';
import type { Carrier } from './announcer.ts';

/** The servers accept 1 MB, unless their operator changes that. */
const MAX_TEXT_BYTES = 256 * 1024;

/** Of a connection attempt, and of a batch on its way to the server. Then the next server is tried. */
const NATS_TIMEOUT_MS = timeoutOf(2000);

/** The pause between two attempts to connect, in milliseconds. */
const RETRY_MS = 500;

/** How often a connection proves that its server still responds, in milliseconds. */
const PING_INTERVAL_MS = timeoutOf(5000);

export interface NatsCarrierOptions {
  readonly servers: NatsServers;
  /** The secret of the installation. Installations that share the servers of NATS do not hear each other. */
  readonly secret: Buffer;
  readonly log: Logger;
  /** Receives each text of another process; undefined if some may have been lost. */
  readonly onText: (text: string | undefined) => void;
}

/** Sends and receives wake-ups through NATS, without its JetStream. It may lose, repeat and reorder them. */
export class NatsCarrier implements Carrier {
  readonly name = 'NATS';
  readonly maxTextBytes = MAX_TEXT_BYTES;
  readonly #options: NatsCarrierOptions;
  readonly #address: string;
  #connection: NatsConnection | undefined;
  #connecting: Promise<void> = Promise.resolve();
  #following: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #isReady = false;
  /** Whether the log already says that the connection is lost. */
  #isLost = false;
  #isClosed = false;

  constructor(options: NatsCarrierOptions) {
    this.#options = options;
    const id = createHmac('sha256', options.secret).update('heddle bus').digest('hex').slice(0, 32);
    this.#address = `heddle.${id}.log`;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  start(): void {
    this.#connecting = this.#connect();
  }

  async send(texts: readonly string[]): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) throw new Error('NATS is not connected');
    for (const text of texts) connection.publish(this.#address, text);
    if (await hasReached(connection)) return;
    this.#lose(new Error(`the server of NATS did not respond within ${NATS_TIMEOUT_MS} ms`));
    await renewed(connection);
    throw new Error('the server of NATS does not respond');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isReady = false;
    clearTimeout(this.#retry);
    await this.#connecting;
    await this.#connection?.close();
    await this.#following;
  }

  async #connect(): Promise<void> {
    const { servers, onText } = this.#options;
    try {
      // Only operators with NATS need it.
      const { connect } = await import('@nats-io/transport-node');
      const connection = await connect({
        ...servers,
        name: 'heddle',
        noEcho: true,
        timeout: NATS_TIMEOUT_MS,
        pingInterval: PING_INTERVAL_MS,
        maxPingOut: 1,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RETRY_MS,
        ignoreAuthErrorAbort: true,
      });
      this.#connection = connection;
      connection.subscribe(this.#address, {
        callback: (error, message) => {
          if (error === null) onText(message.string());
        },
      });
      this.#following = this.#follow(connection);
      await this.#joined(connection);
    } catch (error) {
      this.#lose(error);
      this.#startSoon();
    }
  }

  /** The client connects again by itself, also to another server of the cluster. */
  async #follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.#lose(new Error(`the connection to ${status.server} broke`));
      else if (status.type === 'reconnect') await this.#joined(connection);
    }
    this.#lose(await connection.closed());
    this.#startSoon();
  }

  async #joined(connection: NatsConnection): Promise<void> {
    // Now the server knows the subscription. What was sent before is in the table.
    const isJoined = await Promise.race([hasReached(connection), connection.closed().then(() => false)]);
    if (this.#isClosed) return;
    if (!isJoined) return renewed(connection);
    this.#isReady = true;
    this.#isLost = false;
    this.#options.onText(undefined);
  }

  #lose(error: unknown): void {
    this.#isReady = false;
    if (this.#isClosed) return;
    // One line for an outage, and not one for each attempt.
    this.#options.log[this.#isLost ? 'debug' : 'warn'](
      { err: error },
      'the bus lost its connection to NATS; it uses the database until it has another one',
    );
    this.#isLost = true;
  }

  #startSoon(): void {
    if (this.#isClosed) return;
    this.#connection = undefined;
    this.#retry = setTimeout(() => this.start(), RETRY_MS);
  }
}

/** Connects again, also to another server. A connection that was closed meanwhile stays closed. */
async function renewed(connection: NatsConnection): Promise<void> {
  await connection.reconnect().catch(() => undefined);
}

/** Whether the server has received everything that was sent. */
async function hasReached(connection: NatsConnection): Promise<boolean> {
  const over = new AbortController();
  const reached = connection.flush().then(
    () => true,
    () => false,
  );
  const late = delay(NATS_TIMEOUT_MS, false, { signal: over.signal }).catch(() => false);
  const result = await Promise.race([reached, late]);
  over.abort();
  return result;
}
