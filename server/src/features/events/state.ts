import { stateOfAll } from '../initial-state.ts';

/** Longer than any poll is held: what a client that has heard nothing for so long should give up on, in seconds. */
const LONGEST_POLL = 90;

export const eventsState = stateOfAll({
  types: [],
  build: () => ({ event_queue_longpoll_timeout_seconds: LONGEST_POLL }),
});
