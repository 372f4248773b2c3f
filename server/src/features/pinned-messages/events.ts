import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';

interface PinsChanged {
  readonly channelId: number;
}

/**
 * Pinned messages of the channel or its topics have changed. The event names no message, because readers of the channel differ in which
 * ones they can read: each fetches the list.
 */
export function pinsChanged(channelId: number): NewEvent {
  const body: PinsChanged = { channelId };
  return { type: 'pinned_messages', audience: { to: 'channel-viewers', channelId }, body };
}

export const pinnedMessagesPresenter: Presenter = {
  present(event) {
    return { type: 'pinned_messages', stream_id: (event.body as PinsChanged).channelId };
  },

  // Other clients do not know the type.
  wants: (_, { settings }) => settings.capabilities.pinnedMessages === true,
};
