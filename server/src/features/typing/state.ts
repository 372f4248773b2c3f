import { stateOfAll } from '../../extension/initial-state.ts';

/** The intervals for typing notifications of clients, in milliseconds. */
export const typingState = stateOfAll({
  types: [],
  build: () => ({
    server_typing_started_expiry_period_milliseconds: 15_000,
    server_typing_stopped_wait_period_milliseconds: 5000,
    server_typing_started_wait_period_milliseconds: 10_000,
  }),
});
