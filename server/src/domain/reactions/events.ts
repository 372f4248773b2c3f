import type { reactionEvent } from '@heddle/api/events/reaction.ts';
import type { Static } from 'typebox';
import { isChannelShown } from '../../directory/archived.ts';
import { contains } from '../../directory/lists.ts';
import type { Presenter } from '../../directory/presenters.ts';
import { presentEmoji } from './present.ts';
import type { Reaction } from './queries.ts';

/** The body of a `reaction` event. The message's id is the event's `messageId`. */
export interface ReactionBody extends Reaction {
  readonly op: 'add' | 'remove';
  /** The message's channel; null for direct messages. */
  readonly channelId: number | null;
  /** Users who are not subscribed and get the event; ascending. */
  readonly others: readonly number[];
}

export const reactionPresenter: Presenter = {
  variant: ({ readsOlderNames }) => (readsOlderNames ? 'older' : ''),

  present(event, { readsOlderNames = false }): Omit<Static<typeof reactionEvent>, 'id'> {
    const { op, emoji, user } = event.body as ReactionBody;
    return {
      type: 'reaction',
      op,
      message_id: event.messageId ?? 0,
      ...presentEmoji(emoji, readsOlderNames),
      user_id: user.id,
    };
  },

  // Queues that follow all public channels get changes only of messages that their user has.
  wants({ id, body }, { userId, settings }, _, directory) {
    const { channelId, others } = body as ReactionBody;
    if (channelId === null) return true;
    if (!isChannelShown(directory, settings, channelId, id)) return false;
    if (!settings.allPublicChannels) return true;
    return directory.subscriptions.hadAt(channelId, userId, id) || contains(others, userId);
  },
};
