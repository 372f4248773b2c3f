/** Registers and polls, one request at a time, and survives every failure of the network and the server. */
import type { Caller } from '../calls/operation.ts';
import { getEvents, type RegisterQueueParameters, registerQueue } from '../calls/operations.ts';
import type { InitialState, ServerEvent } from '../calls/types.ts';
import { BackOff, wait } from './back-off.ts';
import { failureOf } from './failure.ts';
import type { EventBatch, Position } from './position.ts';
import type { SessionStatus } from './status.ts';

/** A registration that takes longer has failed, in milliseconds. */
const REGISTER_TIMEOUT_MS = 60_000;
/** A poll that does not wait for events takes at most this time, in milliseconds. */
const PROBE_TIMEOUT_MS = 15_000;
/** The client gives a poll up this long after the time that the server states, in milliseconds. */
const POLL_GRACE_MS = 3_000;
/** If the server does not state how long it holds a poll, in seconds. */
const USUAL_POLL_SECONDS = 90;
/** `check` repeats a held poll that has waited for longer, in milliseconds. */
const TRUSTED_POLL_MS = 2_000;
/** The same for requests that the server answers at once. */
const TRUSTED_PROBE_MS = 10_000;
/** A queue that ended earlier after its registration does not count as a success, in milliseconds. */
const SHORT_LIFE_MS = 60_000;
/** A held poll that ends earlier without events does not count as a success, in milliseconds. */
const SHORT_POLL_MS = 1_000;

/** A timer cannot wait for longer, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What happens with the results. The poller awaits `onEvents` before it polls again. */
export interface PollerHandlers {
  onRegistered(state: InitialState): void;
  onEvents(batch: EventBatch): Promise<void> | void;
  onStatus(status: SessionStatus): void;
}

export interface PollerOptions extends PollerHandlers {
  readonly connection: Caller;
  readonly registration: RegisterQueueParameters;
  /** Continue with this queue. Without it the poller registers. */
  readonly position?: Position | undefined;
  /** How long the server holds a poll, in seconds, if it is known. */
  readonly pollSeconds?: number | undefined;
  readonly isOnline: boolean;
}

/** The request that is running. */
class Attempt {
  readonly controller = new AbortController();
  readonly since = Date.now();
  /** `check` repeats the request after this time, in milliseconds. */
  readonly trustedMs: number;
  isAbandoned = false;

  constructor(trustedMs: number) {
    this.trustedMs = trustedMs;
  }

  abandon(): void {
    this.isAbandoned = true;
    this.controller.abort();
  }
}

export class Poller {
  readonly #options: PollerOptions;
  readonly #stop = new AbortController();
  readonly #backOff = new BackOff();
  /** Slows a loop of registrations down, whose queues end at once. */
  readonly #registrations = new BackOff();
  /** Slows a loop of polls down that return nothing at once, for example because another client polls the queue too. */
  readonly #emptyPolls = new BackOff();
  #position: Position | undefined;
  #pollSeconds: number;
  #registeredAt = 0;
  /** Whether the next poll should return at once, to learn soon whether the server responds. */
  #isProbing = true;
  #isOnline: boolean;
  #attempt: Attempt | undefined;
  /** Ends the current waiting time. */
  #waiting: AbortController | undefined;
  #outage: { since: number; nextAttempt?: number } | undefined;
  #end: Promise<void> | undefined;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#position = options.position;
    this.#pollSeconds = options.pollSeconds ?? USUAL_POLL_SECONDS;
    this.#isOnline = options.isOnline;
  }

  start(): void {
    this.#end ??= this.#run();
  }

  /** Ends the running request. Resolves when no handler runs any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#attempt?.abandon();
    await this.#end;
  }

  /**
   * Call this when the network may have changed, or the computer has slept. Attempts at once, and repeats a request that
   * may be lost.
   */
  check(): void {
    this.#isProbing = true;
    this.#waiting?.abort();
    const attempt = this.#attempt;
    if (attempt !== undefined && Date.now() - attempt.since > attempt.trustedMs) attempt.abandon();
  }

  /** What the browser knows of the network. It is only a hint: a server of the local network may still respond. */
  setOnline(isOnline: boolean): void {
    const hasChanged = isOnline !== this.#isOnline;
    this.#isOnline = isOnline;
    if (this.#outage !== undefined) this.#tellOutage();
    // A request of another network may never end.
    if (hasChanged) this.#attempt?.abandon();
    this.check();
  }

  /** Abandons the queue and registers again, unless a registration is running. */
  registerAgain(): void {
    if (this.#position === undefined && this.#attempt !== undefined) return;
    this.#position = undefined;
    this.#attempt?.abandon();
    this.#waiting?.abort();
  }

  async #run(): Promise<void> {
    this.#options.onStatus({ state: 'connecting' });
    while (!this.#stop.signal.aborted) {
      const position = this.#position;
      try {
        if (position === undefined) await this.#register();
        else await this.#poll(position);
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        await this.#recover(error, position);
      }
    }
  }

  async #register(): Promise<void> {
    const { connection, registration, onRegistered } = this.#options;
    const state = await this.#request(REGISTER_TIMEOUT_MS, TRUSTED_PROBE_MS, (options) =>
      registerQueue(connection, registration, options),
    );
    if (state === undefined) return;
    this.#pollSeconds = state.event_queue_longpoll_timeout_seconds;
    this.#registeredAt = Date.now();
    this.#isProbing = false;
    const { queue_id: queueId, last_event_id: lastEventId = -1 } = state;
    this.#position = queueId === null ? undefined : { queueId, lastEventId };
    onRegistered(state);
    this.#succeeded();
    // Spectators get no queue. The app registers again when it wants a newer state.
    if (queueId === null) await this.#pause(LONGEST_TIMER_MS);
  }

  async #poll(position: Position): Promise<void> {
    const { connection, onEvents } = this.#options;
    const isProbe = this.#isProbing;
    const timeout = isProbe ? PROBE_TIMEOUT_MS : this.#pollSeconds * 1000 + POLL_GRACE_MS;
    const since = Date.now();
    const parameters = {
      queue_id: position.queueId,
      last_event_id: position.lastEventId,
      ...(isProbe && { dont_block: true }),
    };
    const answer = await this.#request(timeout, isProbe ? TRUSTED_PROBE_MS : TRUSTED_POLL_MS, (options) =>
      getEvents(connection, parameters, options),
    );
    if (answer === undefined) return;
    if (isProbe) this.#isProbing = false;
    this.#succeeded();
    const batch = batchOf(position, answer.events as unknown as readonly ServerEvent[]);
    this.#position = { queueId: position.queueId, lastEventId: batch.lastEventId };
    if (batch.lastEventId > position.lastEventId) await onEvents(batch);
    if (batch.events.length > 0 || Date.now() - since >= SHORT_POLL_MS) this.#emptyPolls.reset();
    else if (!isProbe) await this.#pause(this.#emptyPolls.next());
  }

  /** Returns undefined if `check`, `registerAgain` or `stop` ended the request: then the loop continues at once. */
  async #request<Answer>(
    timeout: number,
    trustedMs: number,
    send: (options: { signal: AbortSignal; timeout: number }) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const attempt = new Attempt(trustedMs);
    this.#attempt = attempt;
    try {
      const answer = await send({ signal: attempt.controller.signal, timeout });
      return attempt.isAbandoned ? undefined : answer;
    } catch (error) {
      if (attempt.isAbandoned) return undefined;
      throw error;
    } finally {
      this.#attempt = undefined;
    }
  }

  async #recover(error: unknown, position: Position | undefined): Promise<void> {
    const failure = failureOf(error, position === undefined ? 'register' : 'poll');
    if (failure.action === 'stop') {
      const { reason, code, message } = failure;
      this.#stop.abort();
      this.#options.onStatus({ state: 'stopped', reason, code, message });
      return;
    }
    if (failure.action === 'register') {
      if (this.#position === position) this.#position = undefined;
      const isShort = Date.now() - this.#registeredAt < SHORT_LIFE_MS;
      if (!isShort) this.#registrations.reset();
      this.#options.onStatus({ state: 'connecting' });
      if (isShort) await this.#pause(this.#registrations.next());
      return;
    }
    this.#isProbing = true;
    const milliseconds = Math.max(this.#backOff.next(), failure.afterMs);
    const now = Date.now();
    this.#outage = { since: this.#outage?.since ?? now, nextAttempt: now + milliseconds };
    this.#tellOutage();
    await this.#pause(milliseconds, failure.afterMs > 0);
    if (this.#stop.signal.aborted) return;
    this.#outage = { since: this.#outage.since };
    this.#tellOutage();
  }

  #succeeded(): void {
    this.#backOff.reset();
    this.#outage = undefined;
    if (!this.#stop.signal.aborted) this.#options.onStatus({ state: 'live' });
  }

  #tellOutage(): void {
    if (this.#outage === undefined) return;
    this.#options.onStatus({ state: this.#isOnline ? 'reconnecting' : 'offline', ...this.#outage });
  }

  /**
   * Waits until the time has passed. `check`, `registerAgain` and `stop` end it early.
   *
   * @param isBinding whether only `stop` shortens it, because the server has asked for it
   */
  async #pause(milliseconds: number, isBinding = false): Promise<void> {
    const waiting = new AbortController();
    if (!isBinding) this.#waiting = waiting;
    await wait(milliseconds, AbortSignal.any([waiting.signal, this.#stop.signal]));
    this.#waiting = undefined;
  }
}

/** Leaves out heartbeats and, to be safe, events that the client has. */
function batchOf({ queueId, lastEventId }: Position, events: readonly ServerEvent[]): EventBatch {
  let last = lastEventId;
  const news: ServerEvent[] = [];
  for (const event of events) {
    if (event.id <= last) continue;
    last = event.id;
    if (event.type !== 'heartbeat') news.push(event);
  }
  return { queueId, previousEventId: lastEventId, lastEventId: last, events: news };
}
