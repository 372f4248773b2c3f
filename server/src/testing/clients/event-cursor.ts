import assert from 'node:assert/strict';
import { checkEvent } from './event-check.ts';
import type { Json } from './json.ts';

/**
 * The cursor of a client in its queue. Every test client reads through one. It checks events against the contract. An
 * event that is repeated or out of order fails the test.
 */
export class EventCursor {
  /** The id that the next `GET /events` acknowledges. A test may change it. */
  lastEventId: number;

  /** @param start the `last_event_id` of `POST /register` */
  constructor(start: number) {
    this.lastEventId = start;
  }

  /** Advances past the events of one response. */
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
