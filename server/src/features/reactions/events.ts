import type { reactionEvent } from '@heddle/api/events/reaction.ts';
import type { Static } from 'typebox';
import type { Presenter } from '../../directory/presenters.ts';
import { presentEmoji } from './present.ts';
import type { Reaction } from './queries.ts';

/** What `reaction` events carry in the log; the message's id is the event's `messageId`. */
export interface ReactionBody extends Reaction {
  readonly op: 'add' | 'remove';
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
      user: { user_id: user.id, email: user.email, full_name: user.fullName },
    };
  },
};
