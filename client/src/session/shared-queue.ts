/**
 * Several tabs share one queue. The leader polls, and sends each batch of events to the others before it polls again.
 *
 * Each batch names the event before it, so a follower notices a gap and asks the leader for what it misses. Example: a new tab has read
 * events up to 40 from the store, and the leader is at 45. The tab asks with 40, gets 41 to 45, and then the batches that follow.
 *
 * If the leader closes, the lock goes to another tab, which polls the same queue from its own last event. The server keeps acknowledged
 * events for some minutes. If it has deleted those that the new leader needs, it refuses the poll, and the new leader registers again.
 */
import type { Journal } from './journal.ts';
import { Leadership } from './leadership.ts';
import type { EventBatch, Position, Snapshot } from './position.ts';
import type { SessionStatus, Stopped } from './status.ts';

/** A leader that does not answer within this time is frozen or dead, in milliseconds. */
const ANSWER_TIMEOUT_MS = 4_000;
/** The leader sends something at each end of a poll. After this silence a follower asks, in milliseconds. */
const MAX_SILENCE_MS = 120_000;

/** The leader is this late with its next attempt if the browser delays the timers of its hidden page, in milliseconds. */
const LATE_MS = 1_000;

/** What the leader answers to one tab. Without a batch and a snapshot it has no state yet. */
interface Answer {
  readonly kind: 'answer';
  readonly status: SessionStatus;
  readonly batch?: EventBatch | undefined;
  readonly snapshot?: Snapshot | undefined;
}

type Message =
  /** A follower wants the events after its position, or a state. */
  | { readonly kind: 'ask'; readonly from: string; readonly position: Position | undefined }
  | Answer
  | { readonly kind: 'batch'; readonly batch: EventBatch }
  /** The leader has a new queue. */
  | { readonly kind: 'registered' }
  | { readonly kind: 'status'; readonly status: SessionStatus }
  /** The app of a follower has an inconsistent state. */
  | { readonly kind: 'register-again' }
  /** A follower noticed that the network may have changed. */
  | { readonly kind: 'check' }
  /** All tabs stop. */
  | { readonly kind: 'end'; readonly status: Stopped };

/** The session of this tab. */
export interface QueueMember {
  readonly journal: Journal;
  readonly status: SessionStatus;
  /** Begins or ends to poll. */
  lead(): void;
  follow(): void;
  adopt(snapshot: Snapshot): void;
  /** Returns false if events before the batch are missing. */
  apply(batch: EventBatch): boolean;
  mirror(status: SessionStatus): void;
  registerAgain(): void;
  check(): void;
}

/** Whether this browser or program has what tabs need to share a queue. */
export function canShareQueue(): boolean {
  return typeof BroadcastChannel !== 'undefined' && typeof navigator !== 'undefined' && navigator.locks !== undefined;
}

export class SharedQueue {
  readonly #name: string;
  readonly #member: QueueMember;
  readonly #leadership: Leadership;
  /** Identifies this tab. */
  readonly #id = crypto.randomUUID();
  /** All tabs read this channel. Undefined while this tab takes no part. */
  #channel: BroadcastChannel | undefined;
  /** Only this tab reads this one: a copy of a large state should not go to all tabs. */
  #own: BroadcastChannel | undefined;
  /** Runs until the leader answers, or until it has been silent for too long. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Runs until the leader is late with its next attempt. */
  #lateness: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isCaughtUp = false;

  /** @param name of the queue: tabs with another registration use another one */
  constructor(name: string, member: QueueMember) {
    this.#name = name;
    this.#member = member;
    this.#leadership = new Leadership(name, { onLead: () => this.#lead(), onLost: () => this.#lose() });
  }

  get isLeader(): boolean {
    return this.#leadership.isLeader;
  }

  /** Takes part. Resolves when this tab leads or has asked the leader. */
  async join(): Promise<void> {
    if (this.#channel !== undefined) return;
    this.#channel = this.#listen(this.#name);
    this.#own = this.#listen(`${this.#name}:${this.#id}`);
    if (!(await this.#leadership.join())) this.ask();
  }

  /** Takes no part any more. If this tab leads, another one takes over. */
  leave(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lateness);
    this.#isAsking = false;
    this.#isCaughtUp = false;
    this.#leadership.leave();
    for (const channel of [this.#channel, this.#own]) channel?.close();
    this.#channel = undefined;
    this.#own = undefined;
  }

  /** Asks the leader for what this tab misses. If it does not answer, this tab takes the lead. */
  ask(): void {
    if (this.#channel === undefined || this.isLeader || this.#isAsking) return;
    this.#isAsking = true;
    this.#send({ kind: 'ask', from: this.#id, position: this.#member.journal.position });
    this.#expect(ANSWER_TIMEOUT_MS, () => this.#leadership.steal());
  }

  /** The leader has polled. */
  sendBatch(batch: EventBatch): void {
    if (this.isLeader) this.#send({ kind: 'batch', batch });
  }

  /** The leader has registered. */
  sendRegistered(): void {
    if (this.isLeader) this.#send({ kind: 'registered' });
  }

  sendStatus(status: SessionStatus): void {
    if (this.isLeader) this.#send({ kind: 'status', status });
  }

  /** A follower asks the leader to register again, or to check the network. */
  request(kind: 'register-again' | 'check'): void {
    this.#send({ kind });
  }

  /** Stops all other tabs. */
  endOthers(status: Stopped): void {
    this.#send({ kind: 'end', status });
  }

  #lead(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lateness);
    this.#isAsking = false;
    this.#member.lead();
  }

  #lose(): void {
    this.#isCaughtUp = false;
    this.#member.follow();
    if (this.#channel === undefined) return;
    void this.#leadership.join().then((leads) => {
      if (!leads) this.ask();
    });
  }

  #listen(name: string): BroadcastChannel {
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => this.#receive(data as Message);
    return channel;
  }

  #send(message: Message): void {
    this.#channel?.postMessage(message);
  }

  #expect(milliseconds: number, otherwise: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(otherwise, milliseconds);
  }

  #receive(message: Message): void {
    if (message.kind === 'end') this.#member.mirror(message.status);
    else if (this.isLeader) this.#serve(message);
    else this.#follow(message);
  }

  /** The follower's side. */
  #follow(message: Message): void {
    switch (message.kind) {
      case 'answer':
        this.#take(message);
        break;
      case 'batch':
        this.#received();
        if (!this.#member.apply(message.batch)) this.ask();
        break;
      case 'registered':
        this.#isCaughtUp = false;
        this.#isAsking = false;
        this.ask();
        break;
      case 'status':
        this.#received();
        this.#mirror(message.status);
    }
  }

  /** The leader's side. */
  #serve(message: Message): void {
    if (message.kind === 'check') this.#member.check();
    if (message.kind === 'register-again') this.#member.registerAgain();
    if (message.kind === 'ask') this.#answer(message.from, message.position);
  }

  #answer(tab: string, position: Position | undefined): void {
    const { journal, status } = this.#member;
    const batch = position && journal.since(position);
    const snapshot = batch === undefined ? journal.snapshot() : undefined;
    const answer: Answer = { kind: 'answer', status, batch, snapshot };
    const channel = new BroadcastChannel(`${this.#name}:${tab}`);
    channel.postMessage(answer);
    channel.close();
    // The leader knows too little to bring the tab up to date. All tabs get the state of a new registration.
    if (batch === undefined && snapshot === undefined && journal.position !== undefined) this.#member.registerAgain();
  }

  #take({ batch, snapshot, status }: Answer): void {
    this.#isAsking = false;
    this.#received();
    if (snapshot !== undefined) this.#member.adopt(snapshot);
    const isApplied = batch === undefined || this.#member.apply(batch);
    this.#isCaughtUp = isApplied && (batch !== undefined || snapshot !== undefined);
    if (!isApplied) this.ask();
    else this.#mirror(status);
  }

  /** Shows the leader's status, unless this tab misses events. */
  #mirror(status: SessionStatus): void {
    clearTimeout(this.#lateness);
    if (this.#isCaughtUp || status.state === 'stopped') this.#member.mirror(status);
    if (!('nextAttempt' in status) || status.nextAttempt === undefined) return;
    const late = status.nextAttempt + LATE_MS - Date.now();
    this.#lateness = setTimeout(() => this.request('check'), late);
  }

  /** The leader is alive. */
  #received(): void {
    if (!this.#isAsking) this.#expect(MAX_SILENCE_MS, () => this.ask());
  }
}
