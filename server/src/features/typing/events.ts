import type { Presenter } from '../../directory/presenters.ts';
import { shownTopic } from '../../domain/texts/shared/topic-names.ts';

interface Person {
  readonly id: number;
  readonly email: string;
}

/** The body of a `typing` event. */
export type TypingBody = { readonly op: 'start' | 'stop'; readonly sender: Person } & (
  | { readonly recipients: readonly Person[] }
  | { readonly channelId: number; readonly topic: string }
);

/** The body of a `typing_edit_message` event. */
export type TypingEditMessageBody = {
  readonly op: 'start' | 'stop';
  readonly senderId: number;
  readonly messageId: number;
} & ({ readonly userIds: readonly number[] } | { readonly channelId: number; readonly topic: string });

export const typingPresenter: Presenter = {
  variant: ({ capabilities }) =>
    `${Number(capabilities.channelTypingNotifications)}${Number(capabilities.emptyTopicName)}`,

  present(event, { capabilities }) {
    const body = event.body as TypingBody;
    const common = { type: 'typing', op: body.op, sender: presentPerson(body.sender) };
    if ('recipients' in body)
      return { ...common, message_type: 'direct', recipients: body.recipients.map(presentPerson) };
    if (!capabilities.channelTypingNotifications) return null;
    const topic = shownTopic(body.topic, capabilities.emptyTopicName);
    return { ...common, message_type: 'stream', stream_id: body.channelId, topic };
  },
};

export const typingEditMessagePresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}`,

  present(event, { capabilities }) {
    const body = event.body as TypingEditMessageBody;
    const { op, senderId, messageId } = body;
    const recipient =
      'userIds' in body
        ? { type: 'direct', user_ids: body.userIds }
        : {
            type: 'channel',
            channel_id: body.channelId,
            topic: shownTopic(body.topic, capabilities.emptyTopicName),
          };
    return { type: 'typing_edit_message', op, sender_id: senderId, message_id: messageId, recipient };
  },
};

function presentPerson({ id, email }: Person) {
  return { user_id: id, email };
}
