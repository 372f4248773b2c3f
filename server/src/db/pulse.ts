import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { breakOff } from './break-off.ts';
import { DatabaseUnavailableError } from './failures.ts';
import type { ConnectionSettings } from './pool.ts';
import { PULSE, PULSE_EVERY } from './waits.ts';

/** What the pulse looks after: a pool of connections. */
export interface Watched {
  /** Counts what came to its end. */
  readonly answered: number;
  /** Whether anybody waits for an answer or for a connection. */
  readonly isBusy: boolean;
  cutOff(error: Error): void;
}

export interface PulseOptions {
  readonly settings: ConnectionSettings;
  readonly log: Logger;
  /** Whether somebody else (the supervisor of the embedded database) tells the operator when PostgreSQL has ended. */
  readonly endIsTold: boolean;
}

/** How the database took the question. */
type Answer = { readonly is: 'there' } | { readonly is: 'silent' | 'gone'; readonly reason: string };

/**
 * Whether the database answers at all. Statements have bounds of their own, by how long they may work; but one whose database has
 * stopped, or is out of reach, would wait for its bound, and all behind it for theirs. So when nothing has come back for
 * somebody who waits, the smallest question is asked on a connection of its own. If that goes unanswered, everybody is told at once, and
 * whoever comes is refused at once, until it is answered again. Nothing is asked while answers come.
 */
export class Pulse {
  readonly #options: PulseOptions;
  readonly #watched = new Set<Watched>();
  readonly #timer: NodeJS.Timeout;
  readonly #closed = new AbortController();
  #client: pg.Client | undefined;
  #answered = 0;
  #asking: Promise<void> | undefined;
  #isOut = false;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), PULSE_EVERY);
    this.#timer.unref();
  }

  /** Whether the database does not answer now. */
  get isOut(): boolean {
    return this.#isOut;
  }

  /** Looks after these connections too, until what it returns is called. */
  watch(watched: Watched): () => void {
    this.#watched.add(watched);
    return () => this.#watched.delete(watched);
  }

  /** A connection broke or could not be had: asks at once. */
  doubt(): void {
    if (this.#closed.signal.aborted) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed.abort();
    this.#drop();
    await this.#asking;
  }

  #look(): void {
    const answered = [...this.#watched].reduce((sum, pool) => sum + pool.answered, 0);
    const isStill = answered === this.#answered && [...this.#watched].some((pool) => pool.isBusy);
    this.#answered = answered;
    if (isStill) this.doubt();
  }

  async #ask(): Promise<void> {
    const answer = await this.#question();
    if (answer.is === 'there' || this.#closed.signal.aborted) return;
    const { log, endIsTold } = this.#options;
    const isTold = answer.is === 'gone' && endIsTold;
    const begun = performance.now();
    this.#isOut = true;
    if (!isTold) log.error({ reason: answer.reason }, 'the database is unavailable');
    const error = new DatabaseUnavailableError(`the database is unavailable: ${answer.reason}`);
    for (const pool of this.#watched) pool.cutOff(error);
    if (!(await this.#returns())) return;
    this.#isOut = false;
    if (!isTold) log.warn({ seconds: (performance.now() - begun) / 1_000 }, 'the database is available again');
  }

  /** Resolves when it answers; false where nobody needs to know any more. */
  async #returns(): Promise<boolean> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await delay(PULSE_EVERY, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted && (await this.#question()).is === 'there') return true;
    }
    return false;
  }

  /**
   * In small steps: however long the loop was kept from reading, by work or by a signal that stopped the process, it is one step, and
   * what had come meanwhile is read in the next.
   */
  async #question(): Promise<Answer> {
    let answer: Answer | undefined;
    const asked = this.#put().then(
      () => {
        answer = { is: 'there' };
      },
      (error: unknown) => {
        answer = { is: 'gone', reason: error instanceof Error ? error.message : String(error) };
      },
    );
    for (let waited = 0; waited < PULSE && answer === undefined; waited += PULSE_EVERY)
      await atMost(PULSE_EVERY, asked);
    if (answer?.is !== 'there') this.#drop();
    return answer ?? { is: 'silent', reason: `it has not answered for ${PULSE} ms` };
  }

  /** A database that refuses the question (57P03: it starts, or ends) is not there either. One that has no connection left is. */
  async #put(): Promise<void> {
    const kept = this.#client;
    // That one connection has ended says nothing of the next.
    if (kept !== undefined && (await answers(kept))) return;
    this.#drop();
    try {
      const fresh = await this.#connect();
      await fresh.query('SELECT 1');
    } catch (error) {
      if (!isCrowded(error)) throw error;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#options.settings, application_name: 'heddle pulse' });
    client.on('error', () => this.#forget(client));
    client.on('end', () => this.#forget(client));
    this.#client = client;
    await client.connect();
    return client;
  }

  #forget(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) breakOff(client);
  }
}

async function atMost(milliseconds: number, asked: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([asked, delay(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}

async function answers(client: pg.Client): Promise<boolean> {
  try {
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

/** SQLSTATE class 53: resources, such as connections. */
function isCrowded(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('53') === true;
}
