import { setTimeout as after } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { backendOf } from '../../db/backend.ts';
import { backgroundLevel } from '../../db/failures.ts';

/** The name by which PostgreSQL knows the connections that listen, one for each process. */
export const LISTENER_NAME = 'heddle bus';
/** A process that does not confirm within this time is paused, or does not reach the database. */
const CONFIRMATION_TIMEOUT_MS = 2000;
/** How often to look which of the others have ended meanwhile, in milliseconds. */
const RECHECK_MS = 200;

const ASKED = /^confirm (\d{1,10}) (\d{1,16}) (\S{1,60})$/;
const CONFIRMED = /^confirmed (\S{1,60})$/;

/** Applies an event of an organization, if this process has that in memory. */
export type ApplyUpTo = (organizationId: number, eventId: number) => Promise<void>;

export interface ConfirmationsOptions {
  /** For what this process sends. Others know its connections as those of this process. */
  readonly pool: pg.Pool;
  readonly channel: string;
  /** The connection that listens; undefined if there is none. It resolves when a first attempt to connect has ended. */
  readonly listener: () => Promise<pg.Client | undefined>;
  readonly log: Logger;
}

interface Waiting {
  /** The connections that have not confirmed yet, by the ids of their backends. */
  readonly open: Set<number>;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Lets a process wait until all others have applied an event. PostgreSQL knows which processes listen. Each of them confirms with a
 * notification from the connection that listens, so the sender is known as well.
 *
 * Example: process A replaces an API key with event 41. Two others listen, B and C. A announces the event and sends
 * `confirm 1 41 x`. B has the organization in memory: it applies the events up to 41 and sends `confirmed x`. C does not have it, and
 * confirms at once: when it loads the organization, it finds the new key. Then A responds to its client.
 */
export class Confirmations {
  readonly #options: ConfirmationsOptions;
  readonly #waiting = new Map<string, Waiting>();
  #applyUpTo: ApplyUpTo = () => Promise.resolve();

  constructor(options: ConfirmationsOptions) {
    this.#options = options;
  }

  /** How this process applies an event that another asks it to confirm. */
  onAsked(applyUpTo: ApplyUpTo): void {
    this.#applyUpTo = applyUpTo;
  }

  /**
   * Resolves when every process that listens has applied the event, or has ended. Never rejects: the event is committed. After
   * `CONFIRMATION_TIMEOUT_MS` it resolves as well, and logs that.
   */
  async appliedByOthers(organizationId: number, eventId: number): Promise<void> {
    const { log } = this.#options;
    try {
      const late = await this.#ask(organizationId, eventId);
      if (late > 0)
        log.warn({ organization: organizationId, late }, 'other processes did not confirm an event in time');
    } catch (error) {
      log[backgroundLevel(error)](
        { err: error, organization: organizationId },
        'cannot ask the other processes to confirm an event',
      );
    }
  }

  /** Takes a notification. Returns false if it is none of these. */
  take(payload: string, sender: number, client: pg.Client): boolean {
    const [, asked, event, nonce] = ASKED.exec(payload) ?? [];
    if (nonce !== undefined) {
      this.#confirm(client, Number(asked), Number(event), nonce);
      return true;
    }
    const [, confirmed] = CONFIRMED.exec(payload) ?? [];
    if (confirmed === undefined) return false;
    const waiting = this.#waiting.get(confirmed);
    waiting?.open.delete(sender);
    if (waiting?.open.size === 0) waiting.done.resolve();
    return true;
  }

  /** Returns the number of those that did not confirm. */
  async #ask(organizationId: number, eventId: number): Promise<number> {
    const { pool, channel, listener } = this.#options;
    const client = await listener();
    if (client === undefined) return 0;
    const own = backendOf(client);
    const open = await this.#others(own);
    if (open.size === 0) return 0;
    const waiting = { open, done: Promise.withResolvers<void>() };
    const nonce = `${own}-${crypto.randomUUID()}`;
    this.#waiting.set(nonce, waiting);
    try {
      await pool.query('SELECT pg_notify($1, $2)', [channel, `confirm ${organizationId} ${eventId} ${nonce}`]);
      for (let waited = 0; open.size > 0 && waited < CONFIRMATION_TIMEOUT_MS; waited += RECHECK_MS) {
        await Promise.race([waiting.done.promise, after(RECHECK_MS, undefined, { ref: false })]);
        if (open.size === 0) break;
        const others = await this.#others(own);
        for (const backend of open) if (!others.has(backend)) open.delete(backend);
      }
      return open.size;
    } finally {
      this.#waiting.delete(nonce);
    }
  }

  async #others(own: number): Promise<Set<number>> {
    const { rows } = await this.#options.pool.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 AND pid <> $2',
      [LISTENER_NAME, own],
    );
    return new Set(rows.map(({ pid }) => pid));
  }

  #confirm(client: pg.Client, organizationId: number, eventId: number, nonce: string): void {
    const { channel, log } = this.#options;
    this.#applyUpTo(organizationId, eventId)
      .then(() => client.query('SELECT pg_notify($1, $2)', [channel, `confirmed ${nonce}`]))
      .catch((error) => log.debug({ err: error, organization: organizationId }, 'cannot confirm an event'));
  }
}
