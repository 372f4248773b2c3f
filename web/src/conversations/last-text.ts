import type { LastMessage } from '@heddle/client/model/messages/recent.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { t } from '../base/i18n.ts';
import { messageText } from '../content/message-text.ts';
import { userName } from '../shown/names.ts';

/** Who wrote, and the beginning of what they wrote, as one line. Empty if that is not known any more. */
export function lastText(model: Model, { senderId, html, isMe }: LastMessage): string {
  if (model.mutedUsers.has(senderId)) return t('Message of a muted person');
  if (html === undefined) return '';
  const sender = senderId === model.ownId ? t('You') : userName(model, senderId);
  if (isMe) return messageText(html).replace(/^\/me/, sender);
  return t('{sender}: {text}', { sender, text: wordsOf(html) });
}

/** The beginning of what somebody wrote, as one line. */
export function wordsOf(html: string): string {
  const text = messageText(html);
  return text === '' ? t('Sent a file or an image') : text;
}
