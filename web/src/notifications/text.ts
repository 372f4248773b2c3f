import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { t } from '../base/i18n.ts';
import { formatList } from '../base/i18n-formats.ts';
import { messageText } from '../content/message-text.ts';
import { channelName, topicLabel } from '../shown/names.ts';

/** Longer texts are cut, in characters. */
const MAX_BODY_CHARACTERS = 300;

export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

/** What a notification says: who wrote where, and the beginning of the message if the settings allow it. */
export function notificationText(model: Model, record: MessageRecord): NotificationText {
  const sender = model.users.get(record.senderId)?.name ?? record.senderName;
  const isHidden = record.place.kind === 'direct' && !model.account.settings.pm_content_in_desktop_notifications;
  const body = isHidden ? t('New direct message') : textToRead(record);
  return { title: titleOf(model, record, sender), body };
}

function titleOf(model: Model, { place }: MessageRecord, sender: string): string {
  if (place.kind === 'topic') {
    const topic = topicLabel(model, place.topic).text;
    return t('{sender} in #{channel} › {topic}', { sender, channel: channelName(model, place.channelId), topic });
  }
  if (place.userIds.length < 2) return sender;
  const others = place.userIds.flatMap((id) => model.users.get(id)?.name ?? []).filter((name) => name !== sender);
  return t('{sender} to you and {others}', { sender, others: formatList(others) });
}

/** The text of a message without its formatting. What a spoiler hides stays hidden. */
export function textToRead({ content, isMe, senderName }: MessageRecord): string {
  const text = messageText(content);
  const shown = isMe ? text.replace(/^\/me/, senderName) : text;
  if (shown === '') return t('Sent a file or an image');
  const characters = [...shown];
  return characters.length > MAX_BODY_CHARACTERS ? `${characters.slice(0, MAX_BODY_CHARACTERS).join('')}…` : shown;
}
