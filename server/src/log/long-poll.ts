import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';
import type { LoggedEvent } from './event.ts';
import type { Presenters, Readers, ViewerOf } from './presentation.ts';
import type { Queue } from './queue.ts';
import { readEvents } from './read.ts';
import type { Tail } from './tail.ts';

/** Resolves an event's audience; the directory implements it. Must be right for the moment of the event, also later. */
export interface AudienceResolver {
  includes(event: LoggedEvent, userId: number, followsPublicChannels: boolean): boolean;
  /** The user's queues that began before this event are no more; 0: none is. */
  anewSince(userId: number): number;
  /** Whether the user may get anything at all. */
  mayRead(userId: number): boolean;
  /**
   * The users in the audience where they can be told without looking at every reader; else undefined. Those who may not read are among
   * them.
   */
  usersIn(event: LoggedEvent): { readonly size: number; [Symbol.iterator](): Iterator<number> } | undefined;
}

export interface LongPollOptions<Directory extends Readers> {
  readonly db: Db;
  readonly organizationId: number;
  readonly tail: Tail;
  readonly audience: AudienceResolver;
  readonly presenters: Presenters<Directory>;
  readonly directory: Directory;
  readonly log: Logger;
  readonly heartbeatMilliseconds: number;
}

export interface PollRequest {
  readonly queue: Queue;
  readonly lastEventId: number;
  readonly block: boolean;
}

/** Wire events as JSON bytes, in order; or why there will be none. */
export type PollAnswer = { readonly events: readonly Buffer[] } | { readonly ended: 'gone' | 'future' | 'pruned' };

/** A request that waits for events. */
export interface HeldPoll {
  /** Calls with the answer when it is there, or at once if it is there already. To be called once. */
  whenAnswered(take: (answer: PollAnswer) => void): void;
  /** The client hung up. */
  giveUp(): void;
}

/** All that is kept of a request while it is held. */
class Waiting implements HeldPoll {
  readonly queue: Queue;
  /** Nothing in the log after this and up to where the request was held is for the queue. */
  readonly clearFrom: number;
  /** On the clock of `performance.now`. */
  readonly since = performance.now();
  readonly #release: (waiting: Waiting) => void;
  #answer: PollAnswer | undefined;
  #take: ((answer: PollAnswer) => void) | undefined;

  constructor(queue: Queue, clearFrom: number, release: (waiting: Waiting) => void) {
    this.queue = queue;
    this.clearFrom = clearFrom;
    this.#release = release;
  }

  answer(answer: PollAnswer): void {
    if (this.#answer !== undefined) return;
    this.#answer = answer;
    this.#release(this);
    this.#take?.(answer);
  }

  whenAnswered(take: (answer: PollAnswer) => void): void {
    if (this.#answer === undefined) this.#take = take;
    else take(this.#answer);
  }

  giveUp(): void {
    this.answer({ events: [] });
  }
}

/** An answer ends at the event that makes it longer than this, in bytes; the client asks again for the rest. */
const ANSWER_SIZE = 1_000_000;
const PAGE = 500;
/** Ten thousand clients that came back together are due together: so many get their heartbeat before others have a turn. */
const BEATS_AT_ONCE = 200;

/** The clients of one organization that wait for events, and how a queue is answered from the log after its cursor. */
export class LongPoll<Directory extends Readers> {
  readonly #options: LongPollOptions<Directory>;
  readonly #byUser = new Map<number, Set<Waiting>>();
  readonly #followers = new Set<Waiting>();
  /** Who has waited longest is first. */
  readonly #byQueue = new Map<Queue, Waiting>();
  readonly #ready = new Map<Waiting, Buffer[]>();
  readonly #release = (waiting: Waiting): void => this.#remove(waiting);
  /** One for all: they are due in the order in which they came to `#byQueue`. Undefined while nobody waits. */
  #heartbeats: NodeJS.Timeout | undefined;
  /** The last event that the directory has folded in. Where one cannot be, the tail has published more, and no client may go past it. */
  #dispatched: number;
  #closed = false;

  constructor(options: LongPollOptions<Directory>) {
    this.#options = options;
    this.#dispatched = options.tail.publishedThrough;
  }

  get waiting(): number {
    return this.#byQueue.size;
  }

  isHeld(queue: Queue): boolean {
    return this.#byQueue.has(queue);
  }

  /** Answers with what the log holds after the cursor, at once or when something comes, or with a heartbeat. */
  async poll(request: PollRequest): Promise<PollAnswer | HeldPoll> {
    const { queue } = request;
    const { tail } = this.#options;
    // A client that asks again on the same queue has given up on its earlier request.
    this.#byQueue.get(queue)?.answer({ events: [] });
    if (request.lastEventId > tail.publishedThrough) await tail.catchUp();
    if (request.lastEventId > tail.publishedThrough) return { ended: 'future' };
    if (this.#isGone(queue)) return { ended: 'gone' };

    let cursor = request.lastEventId;
    let clearFrom = cursor;
    if (cursor >= queue.clearFrom && cursor < queue.clearThrough) {
      clearFrom = queue.clearFrom;
      cursor = queue.clearThrough;
    }
    const found: Buffer[] = [];
    let size = 0;
    for (;;) {
      if (tail.after(cursor) === undefined) await tail.recall(cursor);
      // From here to `#hold` nothing may wait once the page comes from memory, or an event could slip between.
      const recent = tail.after(cursor);
      const page = recent ?? (await this.#readPublished(queue.organizationId, cursor));
      if (page[0] === undefined ? recent === undefined : page[0].id !== cursor + 1) return { ended: 'pruned' };
      for (const event of page) {
        if (size > ANSWER_SIZE || event.id > this.#dispatched) break;
        cursor = event.id;
        const bytes = this.#bytesFor(event, queue, 'to be asked');
        if (bytes === undefined) continue;
        if (found.length === 0) noteClear(queue, clearFrom, cursor - 1);
        found.push(bytes);
        size += bytes.length;
      }
      if (recent !== undefined || size > ANSWER_SIZE || cursor >= this.#dispatched) break;
    }
    // It may have ended while the log was read.
    if (this.#isGone(queue)) return { ended: 'gone' };
    if (found.length === 0) noteClear(queue, clearFrom, cursor);
    if (found.length > 0 || !request.block) return { events: found };
    if (this.#closed) return { events: [heartbeat(cursor)] };
    return this.#hold(queue, clearFrom);
  }

  #isGone({ start, userId }: Queue): boolean {
    return start < this.#options.audience.anewSince(userId);
  }

  /**
   * Not beyond what is published here: later events may not be durable yet, and the directory does not know who they are for. Empty
   * where they are no longer kept: what is published and not in memory must be there.
   */
  async #readPublished(organizationId: number, cursor: number): Promise<readonly LoggedEvent[]> {
    const { db, tail } = this.#options;
    const through = tail.publishedThrough;
    return (await readEvents(db, organizationId, cursor, PAGE)).filter((event) => event.id <= through);
  }

  /**
   * Notes who of those that wait gets the next event. Called for each in order, after the directory has folded it in; `deliver` follows
   * the last of those that came together, before anything else runs.
   */
  dispatch(event: LoggedEvent): void {
    this.#dispatched = event.id;
    if (event.audience.to === 'nobody') return;
    try {
      this.#noteAll(event);
    } catch (error) {
      this.#options.presenters.skip(event, error, this.#options.log);
    }
  }

  #noteAll(event: LoggedEvent): void {
    const { audience } = this.#options;
    const users = audience.usersIn(event);
    if (users !== undefined && users.size < this.#byUser.size) {
      for (const userId of users) {
        const polls = this.#byUser.get(userId);
        if (polls !== undefined && audience.mayRead(userId)) this.#note(event, polls);
      }
    } else {
      for (const [userId, polls] of this.#byUser) {
        if (audience.includes(event, userId, false)) this.#note(event, polls);
      }
    }
    for (const follower of this.#followers) {
      const { userId } = follower.queue;
      if (!audience.includes(event, userId, false) && audience.includes(event, userId, true))
        this.#note(event, [follower]);
    }
  }

  /** Those who are in the event's audience. */
  #note(event: LoggedEvent, polls: Iterable<Waiting>): void {
    for (const waiting of polls) {
      const bytes = this.#bytesFor(event, waiting.queue, 'known');
      if (bytes === undefined) continue;
      const earlier = this.#ready.get(waiting);
      if (earlier === undefined) this.#ready.set(waiting, [bytes]);
      else earlier.push(bytes);
    }
  }

  /** Answers each who gets any of the dispatched events with all of them. */
  deliver(): void {
    for (const [waiting, events] of this.#ready) waiting.answer({ events });
    this.#ready.clear();
  }

  /** What they asked with is refused from now on: whoever waits at the user's queues is told that these are gone. */
  endAllOf(userId: number): void {
    for (const waiting of [...(this.#byUser.get(userId) ?? [])]) waiting.answer({ ended: 'gone' });
  }

  /** Answers whoever waits at this queue that it is no more. */
  end(queue: Queue): void {
    this.#byQueue.get(queue)?.answer({ ended: 'gone' });
  }

  /** Answers all who wait, and holds nobody from now on. */
  close(): void {
    this.#closed = true;
    // What came before an event that could not be folded in.
    this.deliver();
    clearTimeout(this.#heartbeats);
    for (const waiting of [...this.#byQueue.values()]) this.#beat(waiting);
  }

  /** Undefined where the event is not for the queue; or cannot be presented to it, which is told to the operator. */
  #bytesFor(event: LoggedEvent, queue: Queue, inAudience: 'known' | 'to be asked'): Buffer | undefined {
    const { presenters, audience, directory, log } = this.#options;
    if (event.audience.to === 'nobody') return undefined;
    const { userId, settings } = queue;
    const viewer = directory.user(userId) as ViewerOf<Directory> | undefined;
    if (viewer === undefined) return undefined;
    try {
      if (!presenters.wanted(event, queue, viewer, directory)) return undefined;
      if (inAudience !== 'known' && !audience.includes(event, userId, settings.allPublicChannels)) return undefined;
      return presenters.serialize(event, queue, viewer, directory) ?? undefined;
    } catch (error) {
      presenters.skip(event, error, log);
      return undefined;
    }
  }

  #hold(queue: Queue, clearFrom: number): HeldPoll {
    this.#byQueue.get(queue)?.answer({ events: [] });
    const waiting = new Waiting(queue, clearFrom, this.#release);
    this.#add(waiting);
    this.#heartbeats ??= this.#beatAfter(this.#options.heartbeatMilliseconds);
    return waiting;
  }

  /** Sockets keep the process running, heartbeats do not. */
  #beatAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#beatDue(), milliseconds).unref();
  }

  #beatDue(): void {
    const through = performance.now() - this.#options.heartbeatMilliseconds;
    let beats = 0;
    for (const waiting of this.#byQueue.values()) {
      if (waiting.since > through || beats === BEATS_AT_ONCE) {
        this.#heartbeats = this.#beatAfter(Math.max(1, Math.ceil(waiting.since - through)));
        return;
      }
      this.#beat(waiting);
      beats += 1;
    }
    this.#heartbeats = undefined;
  }

  /** Nothing has come for the queue while it was held. */
  #beat(waiting: Waiting): void {
    const position = this.#dispatched;
    noteClear(waiting.queue, waiting.clearFrom, position);
    waiting.answer({ events: [heartbeat(position)] });
  }

  #add(waiting: Waiting): void {
    const { userId, settings } = waiting.queue;
    this.#byQueue.set(waiting.queue, waiting);
    if (settings.allPublicChannels) this.#followers.add(waiting);
    const polls = this.#byUser.get(userId);
    if (polls === undefined) this.#byUser.set(userId, new Set([waiting]));
    else polls.add(waiting);
  }

  #remove(waiting: Waiting): void {
    const { userId } = waiting.queue;
    this.#byQueue.delete(waiting.queue);
    this.#followers.delete(waiting);
    const polls = this.#byUser.get(userId);
    polls?.delete(waiting);
    if (polls?.size === 0) this.#byUser.delete(userId);
  }
}

/** Both ends at once: a request from another cursor may have noted another stretch meanwhile. */
function noteClear(queue: Queue, from: number, through: number): void {
  queue.clearFrom = from;
  queue.clearThrough = through;
}

/** Carries the position up to which nothing was for the client, so that its next request starts there. */
function heartbeat(position: number): Buffer {
  return Buffer.from(`{"id":${position},"type":"heartbeat"}`);
}
