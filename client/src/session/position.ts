/** Where a client is in the events of its queue. */
import type { InitialState, ServerEvent } from '../calls/types.ts';

export interface Position {
  readonly queueId: string;
  /** The client has every event up to this one. */
  readonly lastEventId: number;
}

/** Consecutive events of a queue, without heartbeats. */
export interface EventBatch {
  readonly queueId: string;
  /** The events are all that follow this one... */
  readonly previousEventId: number;
  /** ...up to this one. It can be later than the last of `events`. */
  readonly lastEventId: number;
  readonly events: readonly ServerEvent[];
}

/** A state and the events after it. */
export interface Snapshot extends EventBatch {
  /** The state after `previousEventId`. */
  readonly state: InitialState;
}
