import type { reactionEvent } from '@heddle/api/events/reaction.ts';
import type { Static } from 'typebox';
import { asStranger, hasStrangers, knowsId } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import { contains } from '../../directory/lists.ts';
import type { Presenter } from '../../directory/presenters.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { presentEmoji } from './present.ts';
import type { Reaction } from './queries.ts';

/** What `reaction` events carry in the log; the message's id is the event's `messageId`. */
export interface ReactionBody extends Reaction {
  readonly op: 'add' | 'remove';
  /** The message's; null for direct ones. */
  readonly channelId: number | null;
  /** Who is not subscribed there, and hears of it all the same; ascending. */
  readonly others: readonly number[];
}

export const reactionPresenter: Presenter = {
  variant: ({ readsOlderNames }, viewer, directory, event) =>
    `${readsOlderNames ? 'older' : ''}${knowsAuthor(directory, viewer, event) ? '' : ' of a stranger'}`,

  present(event, { readsOlderNames = false }, viewer, directory): Omit<Static<typeof reactionEvent>, 'id'> {
    const { op, emoji, user: author } = event.body as ReactionBody;
    const user = knowsAuthor(directory, viewer, event) ? author : asStranger(directory, author);
    return {
      type: 'reaction',
      op,
      message_id: event.messageId ?? 0,
      ...presentEmoji(emoji, readsOlderNames),
      user_id: user.id,
      user: { user_id: user.id, email: user.email, full_name: user.fullName },
    };
  },

  // Queues that follow all public channels hear of what happens to messages only where their user has these.
  wants({ id, body }, { userId, settings }, _, directory) {
    const { channelId, others } = body as ReactionBody;
    if (channelId === null || !settings.allPublicChannels) return true;
    return directory.subscriptions.hadAt(channelId, userId, id) || contains(others, userId);
  },
};

function knowsAuthor(directory: Directory, viewer: UserRecord, { id, body }: LoggedEvent): boolean {
  return !hasStrangers(directory, viewer) || knowsId(directory, viewer, (body as ReactionBody).user.id, id);
}
