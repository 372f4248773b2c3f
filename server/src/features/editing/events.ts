import type { Presenter } from '../../directory/presenters.ts';
import { flagsMember } from '../messages/present.ts';
import { messageUpdateBody } from './body.ts';
import { flagFactsOf } from './readers.ts';

export const messageUpdatePresenter: Presenter = {
  present(event) {
    const { userId, at, messageIds, channel, content } = messageUpdateBody(event);
    return {
      type: 'update_message',
      user_id: userId,
      edit_timestamp: at,
      message_id: event.messageId,
      message_ids: messageIds,
      rendering_only: false,
      ...(channel !== null && { stream_id: channel.id, stream_name: channel.name }),
      orig_content: content.before.text,
      orig_rendered_content: content.before.html,
      content: content.after.text,
      rendered_content: content.after.html,
      is_me_message: content.isMeMessage,
    };
  },

  personal: (event, queue) => flagsMember(flagFactsOf(messageUpdateBody(event).readers, queue.userId)),

  // Queues that follow all public channels hear of changes only of what their user has.
  wants(event, { userId, settings }, _, directory) {
    const { channel, readers } = messageUpdateBody(event);
    if (channel === null || !settings.allPublicChannels) return true;
    return directory.subscriptions.hadAt(channel.id, userId, event.id) || readers.others.includes(userId);
  },
};
