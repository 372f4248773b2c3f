import { stateOfAll } from '../../extension/initial-state.ts';

/** Longer than any poll is held, in seconds. A client that receives nothing for this time should give up. */
const MAX_POLL_SECONDS = 90;

export const eventsState = stateOfAll({
  types: [],
  build: () => ({ event_queue_longpoll_timeout_seconds: MAX_POLL_SECONDS }),
});
