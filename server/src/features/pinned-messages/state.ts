import { MAX_PINNED_MESSAGES } from '@heddle/api/objects/pinned-message.ts';
import { statePart } from '../../extension/initial-state.ts';

/** The lists are not in the initial state: who opens a channel fetches its list. */
export const pinnedMessagesState = statePart({
  types: ['pinned_messages'],
  build: ({ settings: { capabilities } }) =>
    capabilities.pinnedMessages ? { max_pinned_messages: MAX_PINNED_MESSAGES } : {},
});
