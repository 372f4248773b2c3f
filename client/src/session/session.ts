/** A session keeps one client up to date: it registers, polls, and recovers from every failure. */
import type { Caller } from '../calls/operation.ts';
import { deleteQueue, type RegisterQueueParameters } from '../calls/operations.ts';
import type { InitialState } from '../calls/types.ts';
import { Subject } from '../model/changes.ts';
import { Consumer, type Problem, type SessionHandlers } from './consumer.ts';
import { EventReader } from './event-reader.ts';
import { Journal } from './journal.ts';
import { Persistence } from './persistence.ts';
import { Poller } from './poller.ts';
import type { EventBatch, Snapshot } from './position.ts';
import { canShareQueue, type QueueMember, SharedQueue } from './shared-queue.ts';
import { type SessionStatus, SessionStoppedError, type Stopped } from './status.ts';
import type { ExtraChanges, SaveOptions, SessionStore } from './store.ts';
import type { Tabs } from './tabs.ts';

/** A queue is deleted within this time, or expires on the server, in milliseconds. */
const DELETE_TIMEOUT_MS = 5_000;

export interface SessionOptions extends SessionHandlers {
  readonly connection: Caller;
  readonly registration: RegisterQueueParameters;
  /** Called at each change of the status. */
  readonly onStatus?: (status: SessionStatus) => void;
  /** Called with problems that the session survived. */
  readonly onProblem?: (problem: Problem) => void;
  /** Keeps the state and the queue between two visits. */
  readonly store?: SessionStore;
  /** Shares the queue with the other tabs of the account. */
  readonly tabs?: Tabs;
  /**
   * Returns the state of the app after the last event that it got, in the form of a registration. Without it a long visit is not stored
   * completely.
   */
  readonly compact?: () => InitialState | undefined;
  /** Returns what the app wants to store with the events that it got, since the last call. */
  readonly extra?: () => ExtraChanges;
  /**
   * Resolves when the app has shown the events that it got, and has time for more. The next poll waits for it, so a busy app gets fewer and
   * larger batches. It must resolve within a second.
   */
  readonly untilReady?: () => Promise<void>;
}

export interface StopOptions {
  /** Whether the server should delete the queue. Other tabs and the next visit cannot continue with it. */
  readonly deleteQueue?: boolean;
}

/**
 * Keeps a program up to date. It registers an event queue, polls, waits after failures, and registers again after the queue expires.
 *
 * @example
 * const session = new Session({
 *   connection,
 *   registration: { event_types: ['message'], fetch_event_types: ['message'] },
 *   onState: ({ max_message_id }) => console.log('The newest message is', max_message_id),
 *   onEvents: (events) => console.log(events.map(({ type }) => type)),
 * });
 * session.start();
 * await session.stop({ deleteQueue: true });
 */
export class Session implements QueueMember {
  readonly journal: Journal;
  readonly #options: SessionOptions;
  readonly #consumer: Consumer;
  readonly #persistence: Persistence | undefined;
  readonly #shared: SharedQueue | undefined;
  readonly #readers = new Set<EventReader>();
  readonly #statusChanges = new Subject();
  #status: SessionStatus = { state: 'connecting' };
  #poller: Poller | undefined;
  #userId: number | undefined;
  #pollSeconds: number | undefined;
  #isOnline = true;
  #isStarted = false;
  #isSuspended = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { store, tabs, registration, extra } = options;
    this.journal = new Journal(options.compact);
    const onProblem = (problem: Problem): void => options.onProblem?.(problem);
    this.#consumer = new Consumer({ ...options, onProblem, onDamage: () => this.registerAgain() });
    const text = JSON.stringify(registration);
    if (store !== undefined) {
      this.#persistence = new Persistence({ store, registration: text, journal: this.journal, extra, onProblem });
    }
    if (tabs !== undefined && canShareQueue()) {
      this.#shared = new SharedQueue(`${tabs.name}:${hashOf(text)}`, this);
    }
  }

  get status(): SessionStatus {
    return this.#status;
  }

  /** Subscribes to the status, as `useSyncExternalStore` needs it. */
  get statusChanges(): Pick<Subject, 'subscribe' | 'read'> {
    return this.#statusChanges;
  }

  /** The queue, for example for `sendMessage`, which then names the own message in its event. */
  get queueId(): string | undefined {
    return this.journal.position?.queueId;
  }

  /** The last event that the app got. */
  get lastEventId(): number | undefined {
    return this.journal.position?.lastEventId;
  }

  /** Whether this session polls the queue itself, and no other tab does it. */
  get isLeader(): boolean {
    return this.#poller !== undefined;
  }

  /**
   * Hands the stored state over, if there is one, and begins to poll. Resolves when the stored state has been handed over
   * and it is known who polls. A session starts once.
   */
  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    await this.#restore();
    await this.#join();
  }

  /** Ends the poll and all iterations. Resolves when everything is stored. */
  async stop({ deleteQueue: isDeleting = false }: StopOptions = {}): Promise<void> {
    const queueId = this.queueId;
    await this.#end({ state: 'stopped', reason: 'stopped' });
    if (isDeleting && queueId !== undefined) await this.#deleteQueue(queueId);
  }

  /**
   * Stops this session and those of all other tabs, deletes the queue, and clears the store. The app ends the login itself. If it has done so
   * before, the queue cannot be deleted: it expires.
   */
  async logOut({ deleteQueue: isDeleting = true }: StopOptions = {}): Promise<void> {
    const status: Stopped = { state: 'stopped', reason: 'logged-out' };
    this.#shared?.endOthers(status);
    const queueId = this.queueId;
    await this.#end(status);
    const { store, onProblem } = this.#options;
    await Promise.all([
      isDeleting && queueId !== undefined ? this.#deleteQueue(queueId) : undefined,
      store?.clear().catch((error: unknown) => onProblem?.({ kind: 'storage', error })),
    ]);
  }

  /**
   * The events from now on. It starts the session. The iteration ends when the session is stopped, and throws a
   * `SessionStoppedError` if it stops for another reason. A slow reader slows the session down.
   */
  events(): EventReader {
    const reader: EventReader = new EventReader(() => this.#readers.delete(reader));
    this.#readers.add(reader);
    if (this.#status.state === 'stopped') this.#endReader(reader, this.#status);
    void this.start();
    return reader;
  }

  /** Attempts at once, for example because a person asks for it, or the network may have changed. */
  check(): void {
    if (this.#poller !== undefined) {
      this.#poller.check();
    } else {
      this.#shared?.request('check');
      this.#shared?.ask();
    }
  }

  /** What the browser knows of the network. */
  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    if (this.#poller !== undefined) this.#poller.setOnline(isOnline);
    else if (isOnline) this.check();
  }

  /** Replaces the queue and the state, for example because the app noticed that they do not fit together. */
  registerAgain(): void {
    if (this.#poller !== undefined) this.#poller.registerAgain();
    else this.#shared?.request('register-again');
  }

  /** Stores what is missing. It begins to write before it returns. `isClosing`: the page may end now. */
  async flush(options?: SaveOptions): Promise<void> {
    await this.#persistence?.flush(options);
  }

  /** The page is frozen: another tab takes over. */
  suspend(): void {
    if (this.#isSuspended || this.#status.state === 'stopped') return;
    this.#isSuspended = true;
    void this.#persistence?.deactivate({ isClosing: true });
    this.#stopPolling();
    this.#shared?.leave();
  }

  /** The page runs again. */
  resume(): void {
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    if (this.#isStarted && this.#status.state !== 'stopped') void this.#join();
  }

  async #restore(): Promise<void> {
    const { store, registration } = this.#options;
    await this.#persistence?.guard(async () => {
      const stored = await store?.load();
      if (stored?.registration !== JSON.stringify(registration) || this.#status.state === 'stopped') return;
      const { snapshot, extra } = stored;
      if (!this.#consumer.restore(snapshot, extra)) return;
      this.journal.replace(snapshot);
      this.#know(snapshot.state);
    });
  }

  async #join(): Promise<void> {
    if (this.#status.state === 'stopped' || this.#isSuspended) return;
    if (this.#shared === undefined) this.lead();
    else await this.#shared.join();
  }

  /** Called by the shared queue: this tab polls from now on. */
  lead(): void {
    if (this.#status.state === 'stopped' || this.#poller !== undefined) return;
    const { connection, registration } = this.#options;
    this.#persistence?.activate();
    this.#poller = new Poller({
      connection,
      registration,
      position: this.journal.position,
      pollSeconds: this.#pollSeconds,
      isOnline: this.#isOnline,
      onRegistered: (state) => this.#registered(state),
      onEvents: (batch) => this.#polled(batch),
      onStatus: (status) => this.#polling(status),
    });
    this.#poller.start();
  }

  /** Called by the shared queue: another tab polls from now on. */
  follow(): void {
    this.#stopPolling();
    void this.#persistence?.stop();
    this.#setStatus({ state: 'connecting' });
  }

  /** Called by the shared queue. */
  adopt(snapshot: Snapshot): void {
    this.journal.replace(snapshot);
    this.#know(snapshot.state);
    this.#consumer.state(snapshot);
  }

  /** Called by the shared queue. Returns false if events before the batch are missing. */
  apply(batch: EventBatch): boolean {
    const added = this.journal.append(batch);
    if (added === undefined) return false;
    this.#consumer.events(added, batch.lastEventId);
    if (added.length > 0) for (const reader of this.#readers) reader.push(added);
    return true;
  }

  /** Called by the shared queue with the status of the leader. */
  mirror(status: SessionStatus): void {
    if (status.state === 'stopped') void this.#end(status);
    else if (this.#poller === undefined) this.#setStatus(status);
  }

  #registered(state: InitialState): void {
    const { queue_id: queueId, last_event_id: lastEventId = -1, user_id: userId } = state;
    if (userId !== undefined && this.#userId !== undefined && userId !== this.#userId) {
      void this.#end({ state: 'stopped', reason: 'other-account' });
      if (queueId !== null) void this.#deleteQueue(queueId);
      return;
    }
    const snapshot = { queueId: queueId ?? '', state, previousEventId: lastEventId, lastEventId, events: [] };
    if (queueId === null) {
      this.#consumer.state(snapshot);
    } else {
      this.adopt(snapshot);
      this.#shared?.sendRegistered();
      this.#persistence?.schedule();
    }
  }

  async #polled(batch: EventBatch): Promise<void> {
    this.apply(batch);
    this.#shared?.sendBatch(batch);
    this.#persistence?.schedule();
    for (const reader of [...this.#readers]) await reader.hasRoom();
    if (batch.events.length > 0) await this.#options.untilReady?.();
  }

  #polling(status: SessionStatus): void {
    if (status.state === 'stopped') {
      this.#shared?.sendStatus(status);
      void this.#refused(status);
    } else this.#setStatus(status);
  }

  /**
   * Someone may have ended the login because other people can use this computer. So what came from the server does not stay. What the user
   * has not sent yet stays: they may log in again.
   */
  async #refused(status: Stopped): Promise<void> {
    await this.#end(status);
    const { store, onProblem } = this.#options;
    if (status.reason !== 'logged-out' && status.reason !== 'deactivated') return;
    await store?.clearReceived().catch((error: unknown) => onProblem?.({ kind: 'storage', error }));
  }

  #know({ user_id: userId, event_queue_longpoll_timeout_seconds: seconds }: InitialState): void {
    this.#userId ??= userId;
    this.#pollSeconds = seconds;
  }

  async #end(status: Stopped): Promise<void> {
    if (this.#status.state === 'stopped') return;
    // After a logout nothing may be written: the store is cleared.
    const stored = status.reason === 'stopped' ? this.#persistence?.deactivate() : this.#persistence?.stop();
    const polled = this.#stopPolling();
    this.#shared?.leave();
    this.#setStatus(status);
    for (const reader of [...this.#readers]) this.#endReader(reader, status);
    await Promise.all([stored, polled]);
  }

  #stopPolling(): Promise<void> | undefined {
    const stopped = this.#poller?.stop();
    this.#poller = undefined;
    return stopped;
  }

  #endReader(reader: EventReader, status: Stopped): void {
    reader.end(status.reason === 'stopped' ? undefined : new SessionStoppedError(status));
  }

  /** The queue may be gone already, or the server: then it expires there. */
  async #deleteQueue(queueId: string): Promise<void> {
    const timeout = DELETE_TIMEOUT_MS;
    await deleteQueue(this.#options.connection, { queue_id: queueId }, { timeout }).catch(() => undefined);
  }

  #setStatus(status: SessionStatus): void {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    this.#statusChanges.changed();
    this.#shared?.sendStatus(status);
    this.#options.onStatus?.(status);
  }
}

/** A short name for a text: FNV-1a, 32 bits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
