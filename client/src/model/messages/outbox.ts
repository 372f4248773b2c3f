import { pause } from '../../calls/waiting.ts';
import { Subject } from '../changes.ts';
import { keyOf, type Place } from './places.ts';

/** A message that the user has sent and that has not arrived in the log of events yet. */
export interface OutgoingMessage {
  /** Unique among all messages of this browser. The server repeats it in the event of the message. */
  readonly localId: string;
  readonly place: Place;
  /** Markdown. */
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The newest message id that the client knew then. The message will have a greater one. */
  readonly afterId: number;
  /**
   * - `sending`: on its way, or next in line.
   * - `waiting`: the server could not be reached, or an earlier message of the conversation waits. The client tries again by itself.
   * - `sent`: the server has it. Its event follows.
   * - `failed`: the server refused it (`problem`). It stays until the user decides.
   */
  readonly state: 'sending' | 'waiting' | 'sent' | 'failed';
  /** Why it failed. In English words for the user, unless there is a `proxyStatus`. */
  readonly problem?: string;
  /** The code of the server's error. */
  readonly problemCode?: string;
  /** The HTTP status, if the refusal is no response of the API. A proxy before the server has its own limits, for example. */
  readonly proxyStatus?: number;
  /** Whether it waits for a login: the server knows neither the session nor the key any more. */
  readonly needsLogin?: boolean;
  /** Whether a request may have reached the server without an answer. Then the client looks it up before it sends again. */
  readonly isUncertain: boolean;
  /** The id that the server gave it. */
  readonly id?: number;
}

/** The result of one attempt. */
export type Attempt =
  | { readonly outcome: 'sent'; readonly id: number }
  /** The server refused it for good. */
  | {
      readonly outcome: 'refused';
      readonly problem: string;
      readonly problemCode?: string;
      readonly proxyStatus?: number;
    }
  /** The server asks to come back later. Nothing was sent. */
  | { readonly outcome: 'later'; readonly seconds: number }
  /** The login has ended. Nothing was sent. */
  | { readonly outcome: 'logged-out' }
  /** There was no answer. The message may have been sent. */
  | { readonly outcome: 'unknown' };

export interface OutboxCalls {
  readonly send: (message: OutgoingMessage) => Promise<Attempt>;
  /** The ids of the user's messages with this text at this place after `afterId`. Rejects without an answer. */
  readonly findSent: (message: OutgoingMessage) => Promise<readonly number[]>;
  /** Resolves when another attempt makes sense: the server can be reached again, or a pause is over. */
  readonly untilRetry: (attempt: number) => Promise<void>;
  /** The greatest id of a message that the client has seen, also in channels without events. */
  readonly newestKnownId: () => number;
  /** Whether an event for a message with this id, at this place, will still come. */
  readonly isEventExpected: (place: Place, id: number) => boolean;
  /** A message is at this place, and no event will announce it. */
  readonly sentWithoutEvent: (place: Place) => void;
  /** Stores the messages, so that they survive a reload. */
  readonly save: (messages: readonly OutgoingMessage[]) => void;
}

/**
 * Sends messages and keeps them until they have arrived. Invariants:
 * - A message is never sent twice: after a request without an answer, the client looks for the message first.
 * - Messages of one conversation are sent one after the other, in the order of writing. So the message that the client
 *   looks for is newer than all that were sent there before, also if they have the same text.
 * - A message leaves the outbox only when the client has it from the server, or when the user discards it.
 */
export class Outbox {
  readonly #calls: OutboxCalls;
  readonly #entries = new Map<string, OutgoingMessage>();
  /** The entries in the order of writing. It stays the same object while they do not change. */
  #list: readonly OutgoingMessage[] | undefined;
  readonly #lines = new Map<string, Promise<void>>();
  /** The id of the newest sent message at each place, by its key. Its event may not have arrived yet. */
  readonly #lastIds = new Map<string, number>();
  readonly changes = new Subject();
  #made = 0;

  constructor(calls: OutboxCalls) {
    this.#calls = calls;
  }

  /** All messages in the order of writing. */
  list(): readonly OutgoingMessage[] {
    this.#list ??= [...this.#entries.values()];
    return this.#list;
  }

  at(place: Place): readonly OutgoingMessage[] {
    const key = keyOf(place);
    return this.list().filter((one) => keyOf(one.place) === key);
  }

  /** @param afterId the newest message id that the client knows */
  send(place: Place, content: string, afterId: number): OutgoingMessage {
    this.#made += 1;
    const now = Date.now();
    const localId = `${now.toString(36)}-${this.#made}-${Math.random().toString(36).slice(2, 10)}`;
    const message: OutgoingMessage = {
      localId,
      place,
      content,
      createdAt: now,
      afterId: Math.max(afterId, this.#calls.newestKnownId(), this.#lastIds.get(keyOf(place)) ?? 0),
      ...this.#turnAt(place),
      isUncertain: false,
    };
    this.#put(message);
    this.#queue(message);
    return message;
  }

  /** Continues with messages that an earlier page has left. */
  restore(messages: readonly OutgoingMessage[]): void {
    for (const message of messages) {
      if (this.#entries.has(message.localId) || message.state === 'sent') continue;
      const isFailed = message.state === 'failed';
      const { needsLogin: _, ...rest } = message;
      // The earlier page may have sent it without seeing the answer.
      this.#put(isFailed ? message : { ...rest, state: 'waiting', isUncertain: true });
      if (!isFailed) this.#queue(message);
    }
  }

  /** Tries a failed message again. */
  retry(localId: string): void {
    const message = this.#entries.get(localId);
    if (message?.state !== 'failed') return;
    const { problem: _, problemCode: __, proxyStatus: ___, ...rest } = message;
    this.#put({ ...rest, ...this.#turnAt(message.place) });
    this.#queue(message);
  }

  /** Removes a failed message. Returns it, so that its text can go back to the compose box. */
  discard(localId: string): OutgoingMessage | undefined {
    const message = this.#entries.get(localId);
    if (message?.state !== 'failed') return undefined;
    this.#remove(localId);
    return message;
  }

  /**
   * A message of the user arrived.
   * @param localId undefined if it was sent with another queue
   */
  arrived(localId: string | undefined, id: number): void {
    if (this.#entries.size === 0) return;
    const own = localId === undefined ? undefined : this.#entries.get(localId);
    if (own !== undefined) this.#settle(own, id);
    // Messages arrived in the order of their ids, so these have arrived too.
    for (const one of this.list()) if (one.state === 'sent' && (one.id ?? 0) <= id) this.#remove(one.localId);
  }

  /** The client has loaded everything anew. So events of sent messages do not follow any more. */
  reloaded(): void {
    for (const message of this.list()) if (message.state === 'sent') this.#remove(message.localId);
  }

  /** The message is on the server. The client has it. */
  #settle(message: OutgoingMessage, id: number): void {
    this.#raiseOthers(message, id);
    this.#remove(message.localId);
  }

  /**
   * Messages that are sent to this place from now on have a greater id. The caller stores this together with its own
   * change: if only one of them survived a crash, the next page would lose a message or send it twice.
   */
  #raiseOthers({ place, localId }: OutgoingMessage, id: number): void {
    const key = keyOf(place);
    this.#lastIds.set(key, id);
    for (const one of this.list()) {
      if (one.localId === localId || one.afterId >= id || keyOf(one.place) !== key) continue;
      this.#entries.set(one.localId, { ...one, afterId: id });
    }
  }

  #put(message: OutgoingMessage): void {
    this.#entries.set(message.localId, message);
    this.#changed();
  }

  #remove(localId: string): void {
    this.#entries.delete(localId);
    this.#changed();
  }

  #changed(): void {
    this.#list = undefined;
    this.#calls.save(this.list());
    this.changes.changed();
  }

  /** The message waits, and with it the later ones of its conversation. */
  #wait(message: OutgoingMessage): void {
    this.#put(message);
    const { needsLogin = false } = message;
    for (const one of this.at(message.place)) {
      if (one.state === 'sending') this.#put({ ...one, state: 'waiting', ...(needsLogin && { needsLogin }) });
    }
  }

  /** What a new message at the place does. Behind one that waits, it waits for the same. */
  #turnAt(place: Place): Pick<OutgoingMessage, 'state' | 'needsLogin'> {
    const waiting = this.at(place).find(({ state }) => state === 'waiting');
    if (waiting === undefined) return { state: 'sending' };
    return { state: 'waiting', ...(waiting.needsLogin && { needsLogin: true }) };
  }

  /** Sends after the earlier messages of the same conversation. */
  #queue({ localId, place }: OutgoingMessage): void {
    const key = keyOf(place);
    const before = this.#lines.get(key) ?? Promise.resolve();
    const line = before.then(() => this.#deliver(localId));
    this.#lines.set(key, line);
    void line.then(() => {
      if (this.#lines.get(key) === line) this.#lines.delete(key);
    });
  }

  async #deliver(localId: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const message = this.#entries.get(localId);
      if (message === undefined || message.state === 'failed' || message.state === 'sent') return;
      // One that waited only for an earlier message is sent at once.
      if (attempt > 0 || message.isUncertain) await this.#calls.untilRetry(attempt);
      if (!(await this.#attempt(localId))) return;
    }
  }

  /** Returns whether another attempt is needed. */
  async #attempt(localId: string): Promise<boolean> {
    const message = this.#entries.get(localId);
    if (message === undefined) return false;
    if (message.isUncertain) {
      const found = await this.#lookUp(message);
      if (found === 'unknown') return true;
      if (found !== undefined) {
        this.#sent(localId, found);
        return false;
      }
    }
    if (message.isUncertain || message.state !== 'sending')
      this.#put({ ...message, isUncertain: false, state: 'sending' });
    const result = await this.#calls.send(message);
    // Its event may have arrived before the response.
    const before = this.#entries.get(localId);
    if (before === undefined) return false;
    const { needsLogin: _, ...now } = before;
    switch (result.outcome) {
      case 'sent':
        this.#sent(localId, result.id);
        return false;
      case 'refused': {
        const { outcome: _, ...reason } = result;
        this.#put({ ...now, ...reason, state: 'failed' });
        return false;
      }
      case 'later':
        this.#wait({ ...now, state: 'waiting' });
        if (result.seconds > 0) await pause(result.seconds * 1000);
        return true;
      case 'logged-out':
        // After a login, the page or the next one tries again.
        this.#wait({ ...now, state: 'waiting', needsLogin: true });
        return true;
      case 'unknown':
        this.#wait({ ...now, state: 'waiting', isUncertain: true });
        return true;
    }
  }

  async #lookUp(message: OutgoingMessage): Promise<number | undefined | 'unknown'> {
    try {
      const [id] = await this.#calls.findSent(message);
      return id;
    } catch {
      return 'unknown';
    }
  }

  #sent(localId: string, id: number): void {
    const message = this.#entries.get(localId);
    if (message === undefined) return;
    if (this.#calls.isEventExpected(message.place, id)) {
      this.#raiseOthers(message, id);
      this.#put({ ...message, state: 'sent', id });
    } else {
      this.#settle(message, id);
      this.#calls.sentWithoutEvent(message.place);
    }
  }
}
