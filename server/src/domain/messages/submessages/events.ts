import { isChannelShown } from '../../../directory/archived.ts';
import { contains } from '../../../directory/lists.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import { submessageId } from './present.ts';
import type { Submessage } from './queries.ts';

/** The body of a `submessage` event. The message's id is the event's `messageId`. */
export interface SubmessageBody extends Submessage {
  /** The message's channel; null for direct messages. */
  readonly channelId: number | null;
  /** Users who are not subscribed and get the event; ascending. */
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

  // Queues that follow all public channels get changes only of messages that their user has.
  wants({ id, body }, { userId, settings }, _, directory) {
    const { channelId, others } = body as SubmessageBody;
    if (channelId === null) return true;
    if (!isChannelShown(directory, settings, channelId, id)) return false;
    if (!settings.allPublicChannels) return true;
    return directory.subscriptions.hadAt(channelId, userId, id) || contains(others, userId);
  },
};
