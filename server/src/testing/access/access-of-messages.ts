/** Access rows for messages and topics, sent and scheduled. */
import * as deleting from '@heddle/api/endpoints/deleting.ts';
import * as editing from '@heddle/api/endpoints/editing.ts';
import * as messages from '@heddle/api/endpoints/messages.ts';
import * as reactions from '@heddle/api/endpoints/reactions.ts';
import * as reading from '@heddle/api/endpoints/reading.ts';
import * as reminders from '@heddle/api/endpoints/reminders.ts';
import * as reports from '@heddle/api/endpoints/reports.ts';
import * as scheduled from '@heddle/api/endpoints/scheduled-messages.ts';
import { addSubmessage } from '@heddle/api/endpoints/submessages.ts';
import * as topics from '@heddle/api/endpoints/topics.ts';
import * as typing from '@heddle/api/endpoints/typing.ts';
import * as userTopics from '@heddle/api/endpoints/user-topics.ts';
import type { Fields } from '../clients/client.ts';
import { type AccessRow, amongOthers, inClosed, inCommon, inShown, row } from './access-row.ts';
import type { Scene } from './access-scene.ts';

const IN_TOPIC = { topic: 'topic', content: 'content' };

export const OF_MESSAGES: readonly AccessRow[] = [
  row(messages.sendMessage, 'where they are subscribed', '++++++ uuxu', ({ standing }) => ({
    ...{ type: 'channel', to: standing.common, ...IN_TOPIC },
  })),
  row(messages.sendMessage, 'to a public channel where they are not', '++++s+ uuxu', ({ standing }) => ({
    ...{ type: 'channel', to: standing.others, ...IN_TOPIC },
  })),
  row(messages.sendMessage, 'to a private channel where they are not', 'bbssss uuxu', ({ standing }) => ({
    ...{ type: 'channel', to: standing.closed, ...IN_TOPIC },
  })),
  row(messages.sendMessage, 'to one person', '++++++ uuxu', ({ colleague }) => ({
    ...{ type: 'direct', to: [colleague.userId], content: 'content' },
  })),
  row(messages.renderMessage, 'always', '++++++ uuxu', () => ({ content: 'content' })),
  row(messages.getMessage, 'of a channel where they are subscribed', '++++++ uuxu', async (scene) => ({
    message_id: await scene.message(),
  })),
  row(messages.getMessage, 'of a public channel where they are not', '++++b+ uuxu', (scene) =>
    messageIn(scene, 'others'),
  ),
  row(messages.getMessage, 'of a private channel where they are not', 'bbbbbb uuxu', (scene) =>
    messageIn(scene, 'closed'),
  ),
  row(messages.getMessage, "of somebody else's notes to themselves", 'bbbbbb uuxu', async ({ colleague }) => ({
    message_id: await colleague.direct([colleague.userId], 'content'),
  })),
  row(messages.getMessage, 'of a web-public channel', '++++++ u+xu', (scene) => messageIn(scene, 'shown')),
  row(addSubmessage, 'to a poll where they are subscribed', '++++++ uuxu', (scene) => vote(scene, 'common')),
  row(addSubmessage, 'to a poll of a public channel where they are not', '++++b+ uuxu', (scene) =>
    vote(scene, 'others'),
  ),
  row(addSubmessage, 'to a poll of a private channel where they are not', 'bbbbbb uuxu', (scene) =>
    vote(scene, 'closed'),
  ),
  row(messages.checkMatchesNarrow, 'of whatever they name', '++++++ uuxu', async (scene) => ({
    ...{ msg_ids: [await scene.message()], narrow: [] },
  })),
  row(messages.getSearchHits, 'of web-public channels', '++++++ u+xu', () => ({
    narrow: [{ operator: 'channels', operand: 'web-public' }],
  })),
  row(messages.getSearchHits, 'all', '++++++ uuxu', () => ({})),
  row(messages.getMessages, 'of web-public channels', '++++++ u+xu', () => ({
    ...{ anchor: 'newest', num_before: 5, num_after: 0, narrow: [['channels', 'web-public']] },
  })),
  row(messages.getMessages, 'the newest', '++++++ uuxu', () => ({ anchor: 'newest', num_before: 5, num_after: 0 })),
  row(messages.updateMessageFlags, 'starring what they can read', '++++++ uuxu', async (scene) => ({
    ...{ messages: [await scene.message()], op: 'add', flag: 'starred' },
  })),
  row(messages.updateMessageFlags, 'starring what they cannot read', 'bbbbbb uuxu', async ({ colleague }) => ({
    ...{ messages: [await colleague.direct([colleague.userId], 'content')], op: 'add', flag: 'starred' },
  })),
  row(reading.updateMessageFlagsForNarrow, 'of a channel', '++++++ uuxu', ({ standing }) => ({
    ...{ anchor: 'newest', num_before: 5, num_after: 0, op: 'add', flag: 'starred' },
    narrow: [{ operator: 'channel', operand: standing.common }],
  })),
  row(reading.getReadReceipts, 'of what they can read', '++++++ uuxu', async (scene) => ({
    message_id: await scene.message(),
  })),
  row(reading.getReadReceipts, 'of what they cannot read', 'bbbbbb uuxu', async ({ colleague }) => ({
    message_id: await colleague.direct([colleague.userId], 'content'),
  })),
  row(reading.markAllAsRead, 'always', '++++++ uuxu'),
  row(reading.markChannelAsRead, 'where they are subscribed', '++++++ uuxu', inCommon),
  row(reading.markTopicAsRead, 'where they are subscribed', '++++++ uuxu', async (scene) => {
    await scene.message();
    return { ...inCommon(scene), topic_name: 'topic' };
  }),
  row(editing.updateMessage, 'the content of an own one', '++++++ uuxu', async (scene) => ({
    ...{ message_id: await scene.ownMessage(), content: 'new' },
  })),
  row(editing.updateMessage, "the content of somebody else's", 'bbbbbb uuxu', async (scene) => ({
    ...{ message_id: await scene.message(), content: 'new' },
  })),
  row(editing.updateMessage, "to another topic, somebody else's", '++++++ uuxu', async (scene) => ({
    ...{ message_id: await scene.message(), topic: scene.name() },
  })),
  row(editing.updateMessage, 'to another channel', '++++b+ uuxu', async (scene) => ({
    ...{ message_id: await scene.message(), stream_id: (await scene.channel()).id },
  })),
  row(editing.updateMessage, 'resolving the topic', '++++++ uuxu', async (scene) => {
    const topic = scene.name();
    const message_id = await scene.colleague.send(scene.standing.common, topic, 'content');
    return { message_id, topic: `✔ ${topic}`, propagate_mode: 'change_all' };
  }),
  row(editing.getMessageHistory, 'of what they can read', '++++++ uuxu', async (scene) => ({
    message_id: await scene.message(),
  })),
  row(editing.getMessageHistory, 'of a public channel where they are not', '++++b+ uuxu', (scene) =>
    messageIn(scene, 'others'),
  ),
  row(deleting.deleteMessage, 'an own one', '++++++ uuxu', async (scene) => ({ message_id: await scene.ownMessage() })),
  row(deleting.deleteMessage, "somebody else's", '++bbbb uuxu', async (scene) => ({
    message_id: await scene.message(),
  })),
  row(deleting.deleteTopic, 'where they are subscribed', '++pppp uuxu', async (scene) => {
    const { id } = await scene.channel();
    await scene.colleague.send(id, 'topic', 'content');
    return { stream_id: id, topic_name: 'topic' };
  }),
  row(reactions.addReaction, 'to what they can read', '++++++ uuxu', async (scene) => ({
    ...{ message_id: await scene.message(), emoji_name: 'octopus' },
  })),
  row(reactions.addReaction, 'in a public channel where they are not', '++++b+ uuxu', async (scene) => ({
    ...{ ...(await messageIn(scene, 'others')), emoji_name: 'octopus' },
  })),
  row(reactions.removeReaction, 'an own one', '++++++ uuxu', async (scene) => {
    const message_id = await scene.message();
    await scene.self.ok('POST', `/messages/${message_id}/reactions`, { emoji_name: 'octopus' });
    return { message_id, emoji_name: 'octopus' };
  }),
  row(reactions.removeReaction, "somebody else's", 'rrrrrr uuxu', async (scene) => {
    const message_id = await scene.message();
    await scene.colleague.ok('POST', `/messages/${message_id}/reactions`, { emoji_name: 'octopus' });
    return { message_id, emoji_name: 'octopus' };
  }),
  row(reports.reportMessage, 'what they can read', '++++++ uuxu', async (scene) => ({
    ...{ message_id: await scene.message(), report_type: 'spam' },
  })),
  row(reports.reportMessage, 'of a private channel where they are not', 'bbbbbb uuxu', async (scene) => ({
    ...{ ...(await messageIn(scene, 'closed')), report_type: 'spam' },
  })),
  row(typing.setTyping, 'to one person', '++++++ uuxu', ({ colleague }) => ({
    ...{ type: 'direct', op: 'start', to: [colleague.userId] },
  })),
  row(typing.setTyping, 'where they are subscribed', '++++++ uuxu', (scene) => ({
    ...{ type: 'channel', op: 'start', ...inCommon(scene), topic: 'topic' },
  })),
  row(typing.setTypingInEdit, 'an own one', '++++++ uuxu', async (scene) => ({
    ...{ message_id: await scene.ownMessage(), op: 'start' },
  })),
  row(typing.setTypingInEdit, "somebody else's", 'bbbbbb uuxu', async (scene) => ({
    ...{ message_id: await scene.message(), op: 'start' },
  })),
  row(topics.getTopics, 'of a web-public channel', '++++++ u+xu', inShown),
  row(topics.getTopics, 'of a channel where they are subscribed', '++++++ ubxu', inCommon),
  row(topics.getTopics, 'of a public channel where they are not', '++++b+ ubxu', amongOthers),
  row(topics.getTopics, 'of a private channel where they are not', 'bbbbbb ubxu', inClosed),
  row(userTopics.updateUserTopic, 'where they are subscribed', '++++++ uuxu', (scene) => ({
    ...{ ...inCommon(scene), topic: scene.name(), visibility_policy: 1 },
  })),
  row(userTopics.updateMutedTopic, 'where they are subscribed', '++++++ uuxu', (scene) => ({
    ...{ ...inCommon(scene), topic: scene.name(), op: 'add' },
  })),
];

async function messageIn({ colleague, standing }: Scene, channel: keyof Scene['standing']): Promise<Fields> {
  return { message_id: await colleague.send(standing[channel], 'topic', 'content') };
}

export const OF_LATER: readonly AccessRow[] = [
  row(scheduled.getScheduledMessages, 'always', '++++++ uuxu'),
  row(scheduled.createScheduledMessage, 'where they are subscribed', '++++++ uuxu', ({ standing }) => ({
    ...{ type: 'channel', to: standing.common, ...IN_TOPIC, scheduled_delivery_timestamp: tomorrow() },
  })),
  row(scheduled.createScheduledMessage, 'to a public channel where they are not', '++++s+ uuxu', ({ standing }) => ({
    ...{ type: 'channel', to: standing.others, ...IN_TOPIC, scheduled_delivery_timestamp: tomorrow() },
  })),
  row(scheduled.updateScheduledMessage, 'an own one', '++++++ uuxu', async (scene) => ({
    ...{ ...(await scheduledBy(scene, scene.self)), content: 'new' },
  })),
  row(scheduled.updateScheduledMessage, "somebody else's", 'nnnnnn uuxu', async (scene) => ({
    ...{ ...(await scheduledBy(scene, scene.colleague)), content: 'new' },
  })),
  row(scheduled.deleteScheduledMessage, 'an own one', '++++++ uuxu', (scene) => scheduledBy(scene, scene.self)),
  row(scheduled.deleteScheduledMessage, "somebody else's", 'nnnnnn uuxu', (scene) =>
    scheduledBy(scene, scene.colleague),
  ),
  row(reminders.getReminders, 'always', '++++++ uuxu'),
  row(reminders.createReminder, 'of what they can read', '++++++ uuxu', async (scene) => ({
    ...{ message_id: await scene.message(), scheduled_delivery_timestamp: tomorrow() },
  })),
  row(reminders.createReminder, 'of a private channel where they are not', 'bbbbbb uuxu', async (scene) => ({
    ...{ ...(await messageIn(scene, 'closed')), scheduled_delivery_timestamp: tomorrow() },
  })),
  row(reminders.deleteReminder, 'an own one', '++++++ uuxu', (scene) => reminderOf(scene, scene.self)),
  row(reminders.deleteReminder, "somebody else's", 'nnnnnn uuxu', (scene) => reminderOf(scene, scene.colleague)),
];

/** In seconds since the epoch. */
const tomorrow = () => Math.floor(Date.now() / 1000) + 86_400;

async function scheduledBy({ standing }: Scene, sender: Scene['self']): Promise<Fields> {
  const message = { type: 'channel', to: standing.common, ...IN_TOPIC, scheduled_delivery_timestamp: tomorrow() };
  const { scheduled_message_id } = await sender.ok('POST', '/scheduled_messages', message);
  return { scheduled_message_id };
}

async function reminderOf(scene: Scene, user: Scene['self']): Promise<Fields> {
  const reminder = { message_id: await scene.message(), scheduled_delivery_timestamp: tomorrow() };
  const { reminder_id } = await user.ok('POST', '/reminders', reminder);
  return { reminder_id };
}

/** A vote in a poll of the colleague. */
async function vote({ colleague, standing }: Scene, channel: 'common' | 'others' | 'closed'): Promise<Fields> {
  const message_id = await colleague.send(standing[channel], 'poll', '/poll Which?');
  return { message_id, msg_type: 'widget', content: JSON.stringify({ type: 'vote', key: 'x', vote: 1 }) };
}
