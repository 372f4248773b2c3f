import { stateOfAll } from '../../extension/initial-state.ts';

/** Longer than any poll is held, in seconds. A client that receives nothing for this time should give up. */
const LONGEST_POLL = 90;

export const eventsState = stateOfAll({
  types: [],
  build: () => ({ event_queue_longpoll_timeout_seconds: LONGEST_POLL }),
});
