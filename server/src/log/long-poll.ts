import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';
import type { LoggedEvent } from './event.ts';
import type { EventBuffer } from './event-buffer.ts';
import { type HeldPoll, PendingPoll, type PollAnswer, RESPONSE_SIZE_BYTES } from './held-poll.ts';
import type { Presenters, Readers, ViewerOf } from './presentation.ts';
import type { Queue } from './queue.ts';
import { readEvents } from './read.ts';
import type { ResponseQueue } from './response-queue.ts';

/** Resolves the audience of an event. The directory implements it. The result is as of the event, also when it is asked later. */
export interface AudienceResolver {
  includes(event: LoggedEvent, userId: number, followsPublicChannels: boolean): boolean;
  /** The event that last reset the user's queues: those that started before it have ended. 0 if there is none. */
  queuesResetAt(userId: number): number;
  /** Whether the user may receive events at all. */
  mayRead(userId: number): boolean;
  /**
   * The users in the audience, if they are known without checking every reader; else undefined. They may include users for whom
   * `mayRead` is false.
   */
  usersIn(event: LoggedEvent): { readonly size: number; [Symbol.iterator](): Iterator<number> } | undefined;
}

export interface LongPollOptions<Directory extends Readers> {
  readonly db: Db;
  readonly organizationId: number;
  readonly buffer: EventBuffer;
  readonly audience: AudienceResolver;
  readonly presenters: Presenters<Directory>;
  readonly directory: Directory;
  readonly log: Logger;
  readonly heartbeatMilliseconds: number;
  /** The response queue, which all organizations of the process share. */
  readonly line: ResponseQueue;
}

export interface PollRequest {
  readonly queue: Queue;
  /** The session that the client authenticated with; undefined for an API key. */
  readonly session?: string | undefined;
  readonly lastEventId: number;
  readonly block: boolean;
}

/** Which sessions of a user have ended (`directory/ended-access.ts`). */
interface Ended {
  readonly userId: number;
  readonly sessions: 'all' | readonly string[];
  readonly replaced?: string;
}

/** How many events one read of the table returns. */
const EVENTS_PER_PAGE = 500;
/** Ten thousand clients that reconnected together are due together. This many get their heartbeat before other work has its turn. */
const HEARTBEATS_PER_TURN = 200;

/** What a poll has found in the log so far. */
interface Scan {
  readonly queue: Queue;
  readonly session: string | undefined;
  /** No event after this one, and up to the first one found, is for the queue. */
  readonly clearFrom: number;
  /** The last event that was checked. */
  cursor: number;
  readonly found: Buffer[];
  /** Total size of `found`, in bytes. */
  size: number;
}

/**
 * Serves the queues of one organization: it finds the events after a queue's cursor, and holds requests until there are
 * some.
 *
 * A poll takes three steps:
 * 1. *Scan*: check each event after the cursor, from the table as far as memory does not reach back, and then from
 *    memory.
 * 2. *Respond* with what was found, if the response queue has room.
 * 3. Otherwise *hold* the request. `dispatch` adds each later event, and `deliver` sends the responses.
 *
 * Example: a queue polls with cursor 10, and events 11 to 14 are in memory. Only 13 is for its user. The response is
 * event 13, and `noteClear` notes that 11 and 12 are not for the queue. The client polls with cursor 13. Event 14 is
 * not for it, so the request is held, and the queue notes that it needs nothing up to 14. When 15 is dispatched and is
 * for the user, the request gets it. If nothing comes, the client gets a heartbeat with the last dispatched id, and
 * continues from there.
 */
export class LongPoll<Directory extends Readers> {
  readonly #options: LongPollOptions<Directory>;
  readonly #byUser = new Map<number, PendingPoll[]>();
  /** Requests of queues that follow all public channels; they are in `#byUser` too. */
  readonly #publicFollowers = new Set<PendingPoll>();
  /** The request that has waited longest is first. */
  readonly #byQueue = new Map<Queue, PendingPoll>();
  readonly #release = (waiting: PendingPoll): void => this.#remove(waiting);
  /** One timer for all requests: their heartbeats are due in the order of `#byQueue`. Undefined while no request waits. */
  #heartbeats: NodeJS.Timeout | undefined;
  /** The last event that the directory applied. If it cannot apply one, `buffer` has published more, and no client may read past it. */
  #dispatched: number;
  #closed = false;

  constructor(options: LongPollOptions<Directory>) {
    this.#options = options;
    this.#dispatched = options.buffer.publishedThrough;
  }

  get waiting(): number {
    return this.#byQueue.size;
  }

  isHeld(queue: Queue): boolean {
    return this.#byQueue.has(queue);
  }

  /** Responds with the events after the cursor: at once, or when one arrives, or with a heartbeat. */
  async poll({ queue, session, lastEventId, block }: PollRequest): Promise<PollAnswer | HeldPoll> {
    const { buffer } = this.#options;
    // A client that polls the same queue again has abandoned its earlier request.
    this.#byQueue.get(queue)?.answer({ events: [] });
    if (lastEventId > buffer.publishedThrough) await buffer.catchUp();
    if (lastEventId > buffer.publishedThrough) return { ended: 'future' };
    if (this.#isGone(queue)) return { ended: 'gone' };

    const scan = scanAfter(queue, session, lastEventId);
    while (buffer.after(scan.cursor) === undefined) {
      if (!(await this.#scanOlder(scan))) return { ended: 'pruned' };
      if (scan.size > RESPONSE_SIZE_BYTES || scan.cursor >= this.#dispatched) break;
    }
    // Nothing below may await: an event that is dispatched between this read of memory and `#hold` would be lost.
    this.#scan(buffer.after(scan.cursor) ?? [], scan);
    // The queue may have ended while the table was read.
    if (this.#isGone(queue)) return { ended: 'gone' };
    return this.#respond(scan, block);
  }

  #isGone({ start, userId }: Queue): boolean {
    return start < this.#options.audience.queuesResetAt(userId);
  }

  /** Backfills the event buffer, or else scans a page of the table. Returns false if the log no longer has the next event. */
  async #scanOlder(scan: Scan): Promise<boolean> {
    const { buffer } = this.#options;
    await buffer.recall(scan.cursor);
    if (buffer.after(scan.cursor) !== undefined) return true;
    const page = await this.#readPublished(scan.queue.organizationId, scan.cursor);
    if (page[0]?.id !== scan.cursor + 1) return false;
    this.#scan(page, scan);
    return true;
  }

  /** Later events may not be durable yet, and the directory does not know their audience. */
  async #readPublished(organizationId: number, cursor: number): Promise<readonly LoggedEvent[]> {
    const { db, buffer } = this.#options;
    const through = buffer.publishedThrough;
    return (await readEvents(db, organizationId, cursor, EVENTS_PER_PAGE)).filter((event) => event.id <= through);
  }

  /** Adds the events that are for the queue, until the response is long enough. */
  #scan(events: readonly LoggedEvent[], scan: Scan): void {
    for (const event of events) {
      if (scan.size > RESPONSE_SIZE_BYTES || event.id > this.#dispatched) return;
      scan.cursor = event.id;
      const bytes = this.#bytesFor(event, scan.queue, 'check audience');
      if (bytes === undefined) continue;
      if (scan.found.length === 0) noteClear(scan.queue, scan.clearFrom, event.id - 1);
      scan.found.push(bytes);
      scan.size += bytes.length;
    }
  }

  #respond({ queue, session, clearFrom, cursor, found }: Scan, block: boolean): PollAnswer | HeldPoll {
    if (found.length > 0) {
      if (this.#closed || this.#options.line.passes()) return { events: found };
    } else {
      noteClear(queue, clearFrom, cursor);
      if (!block) return { events: found };
      if (this.#closed) return { events: [heartbeat(cursor)] };
    }
    const waiting = this.#hold(queue, session, clearFrom);
    // If the scan stopped early, the response is already long enough, so `waiting` accepts no event after the missing ones.
    for (const bytes of found) this.#add(bytes, waiting);
    return waiting;
  }

  /**
   * Adds the next event to the held requests that should get it. Call it for each event in order, after the directory has applied it.
   * Call `deliver` after the last one of a batch, before anything else runs.
   */
  dispatch(event: LoggedEvent): void {
    this.#dispatched = event.id;
    if (event.audience.to === 'nobody') return;
    try {
      this.#addToAudience(event);
    } catch (error) {
      this.#options.presenters.skip(event, error, this.#options.log);
    }
  }

  #addToAudience(event: LoggedEvent): void {
    const { audience } = this.#options;
    const users = audience.usersIn(event);
    if (users !== undefined && users.size < this.#byUser.size) {
      for (const userId of users) {
        const polls = this.#byUser.get(userId);
        if (polls !== undefined && audience.mayRead(userId)) this.#addToAll(event, polls);
      }
    } else {
      for (const [userId, polls] of this.#byUser) {
        if (audience.includes(event, userId, false)) this.#addToAll(event, polls);
      }
    }
    for (const follower of this.#publicFollowers) {
      const { userId } = follower.queue;
      if (!audience.includes(event, userId, false) && audience.includes(event, userId, true))
        this.#addToAll(event, [follower]);
    }
  }

  /** @param polls of users in the event's audience */
  #addToAll(event: LoggedEvent, polls: Iterable<PendingPoll>): void {
    for (const waiting of polls) {
      const bytes = this.#bytesFor(event, waiting.queue, 'in audience');
      if (bytes !== undefined) this.#add(bytes, waiting);
    }
  }

  #add(bytes: Buffer, waiting: PendingPoll): void {
    waiting.add(bytes);
    this.#options.line.join(waiting);
  }

  /** Responds to the requests that got dispatched events. Events that arrive before their turn are added to the response. */
  deliver(): void {
    this.#options.line.advance();
  }

  /** Ends all held requests of a user whose credentials are no longer valid, or whose queues were reset. */
  endAllOf(userId: number): void {
    for (const waiting of [...(this.#byUser.get(userId) ?? [])]) waiting.answer({ ended: 'gone' });
  }

  /** Ends the held requests of sessions that have ended. */
  endSessions({ userId, sessions, replaced }: Ended): void {
    for (const waiting of [...(this.#byUser.get(userId) ?? [])]) {
      const { session } = waiting;
      if (session === undefined) continue;
      if (session === replaced) waiting.acceptNoMore();
      else if (sessions === 'all' || sessions.includes(session)) waiting.answer({ ended: 'session' });
    }
  }

  /** Ends the held request of a queue that has ended. */
  end(queue: Queue): void {
    this.#byQueue.get(queue)?.answer({ ended: 'gone' });
  }

  /** Responds to all held requests, and holds none from now on. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#heartbeats);
    for (const waiting of [...this.#byQueue.values()]) this.#answerHeld(waiting);
  }

  /** Returns undefined if the event is not for the queue, or cannot be presented to it, which is logged. */
  #bytesFor(event: LoggedEvent, queue: Queue, known: 'in audience' | 'check audience'): Buffer | undefined {
    const { presenters, audience, directory, log } = this.#options;
    if (event.audience.to === 'nobody') return undefined;
    const { userId, settings } = queue;
    const viewer = directory.user(userId) as ViewerOf<Directory> | undefined;
    if (viewer === undefined) return undefined;
    try {
      if (!presenters.wanted(event, queue, viewer, directory)) return undefined;
      if (known === 'check audience' && !audience.includes(event, userId, settings.allPublicChannels)) return undefined;
      return presenters.serialize(event, queue, viewer, directory) ?? undefined;
    } catch (error) {
      presenters.skip(event, error, log);
      return undefined;
    }
  }

  #hold(queue: Queue, session: string | undefined, clearFrom: number): PendingPoll {
    this.#byQueue.get(queue)?.answer({ events: [] });
    const waiting = new PendingPoll(queue, clearFrom, this.#release, session);
    this.#enter(waiting);
    this.#heartbeats ??= this.#heartbeatsAfter(this.#options.heartbeatMilliseconds);
    return waiting;
  }

  /** The timer must not keep the process running; the sockets do that. */
  #heartbeatsAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#sendHeartbeats(), milliseconds).unref();
  }

  #sendHeartbeats(): void {
    const through = performance.now() - this.#options.heartbeatMilliseconds;
    let sent = 0;
    for (const waiting of this.#byQueue.values()) {
      if (waiting.since > through || sent === HEARTBEATS_PER_TURN) {
        this.#heartbeats = this.#heartbeatsAfter(Math.max(1, Math.ceil(waiting.since - through)));
        return;
      }
      this.#answerHeld(waiting);
      sent += 1;
    }
    this.#heartbeats = undefined;
  }

  /** Responds with the events that wait for their turn in the response queue; if there are none, with a heartbeat. */
  #answerHeld(waiting: PendingPoll): void {
    if (waiting.isDue) {
      waiting.answerDue();
      return;
    }
    const position = this.#dispatched;
    noteClear(waiting.queue, waiting.clearFrom, position);
    waiting.answer({ events: [heartbeat(position)] });
  }

  #enter(waiting: PendingPoll): void {
    const { userId, settings } = waiting.queue;
    this.#byQueue.set(waiting.queue, waiting);
    if (settings.allPublicChannels) this.#publicFollowers.add(waiting);
    const polls = this.#byUser.get(userId);
    if (polls === undefined) this.#byUser.set(userId, [waiting]);
    else polls.push(waiting);
  }

  #remove(waiting: PendingPoll): void {
    const { userId } = waiting.queue;
    this.#options.line.leave(waiting);
    this.#byQueue.delete(waiting.queue);
    this.#publicFollowers.delete(waiting);
    const polls = this.#byUser.get(userId) ?? [];
    const place = polls.indexOf(waiting);
    if (place < 0) return;
    if (polls.length === 1) this.#byUser.delete(userId);
    else polls.splice(place, 1);
  }
}

/** Skips the range that is known to hold nothing for the queue: a client that got no event asks again with its old cursor. */
function scanAfter(queue: Queue, session: string | undefined, lastEventId: number): Scan {
  const isInClearRange = lastEventId >= queue.clearFrom && lastEventId < queue.clearThrough;
  return {
    queue,
    session,
    clearFrom: isInClearRange ? queue.clearFrom : lastEventId,
    cursor: isInClearRange ? queue.clearThrough : lastEventId,
    found: [],
    size: 0,
  };
}

/** Sets both ends at once, because a request with another cursor may have noted another range meanwhile. */
function noteClear(queue: Queue, from: number, through: number): void {
  queue.clearFrom = from;
  queue.clearThrough = through;
}

/** Carries the position up to which nothing was for the client, so that its next request starts there. */
function heartbeat(position: number): Buffer {
  return Buffer.from(`{"id":${position},"type":"heartbeat"}`);
}
