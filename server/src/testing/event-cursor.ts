import assert from 'node:assert/strict';
import { checkEvent } from './event-check.ts';
import type { Json } from './json.ts';

/**
 * Where a client stands in its queue. Every client of the tests reads through one: events are held against the contract, and one that
 * comes again or out of order fails the test.
 */
export class EventCursor {
  /** What the next `GET /events` acknowledges. A test may put it elsewhere. */
  lastEventId: number;

  /** @param start as `POST /register` told it */
  constructor(start: number) {
    this.lastEventId = start;
  }

  /** Goes on past the events of one answer. */
  accept(events: readonly Json[]): void {
    for (const event of events) {
      checkEvent(event);
      assert(
        event.type === 'heartbeat' || event.id > this.lastEventId,
        `event ${event.id} came after ${this.lastEventId}`,
      );
      this.lastEventId = Math.max(this.lastEventId, event.id);
    }
  }
}
