import { contains } from '../../directory/lists.ts';
import type { Presenter } from '../../directory/presenters.ts';
import { submessageId } from './present.ts';
import type { Submessage } from './queries.ts';

/** What `submessage` events carry in the log; the message's id is the event's `messageId`. */
export interface SubmessageBody extends Submessage {
  /** The message's; null for direct ones. */
  readonly channelId: number | null;
  /** Who is not subscribed there, and hears of it all the same; ascending. */
  readonly others: readonly number[];
}

export const submessagePresenter: Presenter = {
  present({ body, messageId = 0 }) {
    const { place, senderId, kind, content } = body as SubmessageBody;
    return {
      type: 'submessage',
      msg_type: kind,
      message_id: messageId,
      submessage_id: submessageId(messageId, place),
      sender_id: senderId,
      content,
    };
  },

  // Queues that follow all public channels hear of what happens to messages only where their user has these.
  wants({ id, body }, { userId, settings }, _, directory) {
    const { channelId, others } = body as SubmessageBody;
    if (channelId === null || !settings.allPublicChannels) return true;
    return directory.subscriptions.hadAt(channelId, userId, id) || contains(others, userId);
  },
};
