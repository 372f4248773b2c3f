import type { scheduledMessage } from '@heddle/api/objects/scheduled-message.ts';
import type { Static } from 'typebox';
import { shownTopic } from '../../domain/texts/shared/topic-names.ts';
import type { ScheduledMessage } from './queries.ts';

/** The wire format, for its author. */
export function presentScheduled(
  scheduled: ScheduledMessage,
  senderId: number,
  knowsEmptyTopic: boolean,
): Static<typeof scheduledMessage> {
  const common = {
    content: scheduled.content,
    rendered_content: scheduled.renderedContent,
    scheduled_delivery_timestamp: scheduled.deliverAt,
    failed: scheduled.failed,
  };
  const { id, channelId, topic, participants } = scheduled;
  return channelId === null
    ? { scheduled_message_id: id, type: 'private', to: othersIn(participants ?? [], senderId), ...common }
    : {
        scheduled_message_id: id,
        type: 'stream',
        to: channelId,
        topic: shownTopic(topic, knowsEmptyTopic),
        ...common,
      };
}

/** The recipients. The author is one only without any others. */
export function othersIn(participants: readonly number[], senderId: number): number[] {
  const others = participants.filter((id) => id !== senderId);
  return others.length > 0 ? others : [senderId];
}
