import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';
import type { AnswerLine } from './answer-line.ts';
import type { LoggedEvent } from './event.ts';
import { ANSWER_SIZE, type HeldPoll, type PollAnswer, Waiting } from './held-poll.ts';
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
  /** Shared by all organizations of the process. */
  readonly line: AnswerLine;
}

export interface PollRequest {
  readonly queue: Queue;
  readonly lastEventId: number;
  readonly block: boolean;
}

const PAGE = 500;
/** Ten thousand clients that came back together are due together: so many get their heartbeat before others have a turn. */
const BEATS_AT_ONCE = 200;

/** The clients of one organization that wait for events, and how a queue is answered from the log after its cursor. */
export class LongPoll<Directory extends Readers> {
  readonly #options: LongPollOptions<Directory>;
  readonly #byUser = new Map<number, Waiting[]>();
  readonly #followers = new Set<Waiting>();
  /** Who has waited longest is first. */
  readonly #byQueue = new Map<Queue, Waiting>();
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
    if (found.length === 0 && !request.block) return { events: found };
    if (found.length > 0 && (this.#closed || this.#options.line.passes())) return { events: found };
    if (this.#closed) return { events: [heartbeat(cursor)] };
    const waiting = this.#hold(queue, clearFrom);
    // Where they are not all, they are so long that nothing from after those that are missing is added to them.
    for (const bytes of found) this.#add(bytes, waiting);
    return waiting;
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
      if (bytes !== undefined) this.#add(bytes, waiting);
    }
  }

  #add(bytes: Buffer, waiting: Waiting): void {
    waiting.add(bytes);
    this.#options.line.join(waiting);
  }

  /** Answers each who gets any of the dispatched events with all of them, and with what comes until it is their turn. */
  deliver(): void {
    this.#options.line.advance();
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

  #hold(queue: Queue, clearFrom: number): Waiting {
    this.#byQueue.get(queue)?.answer({ events: [] });
    const waiting = new Waiting(queue, clearFrom, this.#release);
    this.#enter(waiting);
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

  /** Nothing has come for the queue while it was held; or something has, and it was not its turn yet. */
  #beat(waiting: Waiting): void {
    if (waiting.isDue) {
      waiting.answerDue();
      return;
    }
    const position = this.#dispatched;
    noteClear(waiting.queue, waiting.clearFrom, position);
    waiting.answer({ events: [heartbeat(position)] });
  }

  #enter(waiting: Waiting): void {
    const { userId, settings } = waiting.queue;
    this.#byQueue.set(waiting.queue, waiting);
    if (settings.allPublicChannels) this.#followers.add(waiting);
    const polls = this.#byUser.get(userId);
    if (polls === undefined) this.#byUser.set(userId, [waiting]);
    else polls.push(waiting);
  }

  #remove(waiting: Waiting): void {
    const { userId } = waiting.queue;
    this.#options.line.leave(waiting);
    this.#byQueue.delete(waiting.queue);
    this.#followers.delete(waiting);
    const polls = this.#byUser.get(userId) ?? [];
    const place = polls.indexOf(waiting);
    if (place < 0) return;
    if (polls.length === 1) this.#byUser.delete(userId);
    else polls.splice(place, 1);
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
