/** What a notification knows of its conversation, whether the worker or the app shows it. */
import type { WebPushPayload } from '@heddle/api/objects/web-push-payload.ts';
import type { Narrow } from '@heddle/client/model/messages/narrow.ts';

export type PushedMessage = Extract<WebPushPayload, { kind: 'message' }>;

export type Conversation = PushedMessage['conversation'];

/** In the language of the account. */
export interface NotificationTexts {
  readonly reply: string;
  readonly replyHint: string;
  readonly read: string;
  readonly again: string;
  /** With `{sender}` and `{text}`. */
  readonly from: string;
  /** With `{sender}`: the body of a notification without the text of the message. */
  readonly hidden: string;
  readonly hiddenMention: string;
  readonly notSent: string;
}

/** The data of a notification. */
export interface ShownData {
  readonly userId: number;
  readonly conversation: Conversation;
  /** The newest message, which a tap opens. */
  readonly messageId: number;
  /** All messages for which it stands; ascending. */
  readonly messageIds: readonly number[];
  /** The name of the reply that was not sent, of which this notification tells. */
  readonly reply?: string;
}

interface Action {
  readonly action: string;
  readonly title: string;
  readonly type?: 'button' | 'text';
  readonly placeholder?: string;
}

/** What the types of the library lack. */
export interface ShownOptions extends NotificationOptions {
  readonly renotify?: boolean;
  readonly timestamp?: number;
  readonly actions?: readonly Action[];
  readonly data: ShownData;
}

/** A tap on a notification. The app responds on the port that comes with it. */
export interface OpenMessage {
  readonly kind: 'open-notification';
  readonly data: ShownData;
  /** The user wants to write there. */
  readonly isReply: boolean;
}

export function isOpenMessage(message: unknown): message is OpenMessage {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'open-notification';
}

/** A notification of the app, which the worker shows. */
export interface ShowMessage {
  readonly kind: 'show-notification';
  readonly title: string;
  readonly options: ShownOptions;
}

export function isShowMessage(message: unknown): message is ShowMessage {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'show-notification';
}

export function dataOf({ data }: Notification): ShownData | undefined {
  return typeof data === 'object' && data !== null && 'messageIds' in data ? (data as ShownData) : undefined;
}

/** Whether the user can answer there. Of very large conversations the participants are unknown. */
function canReply(conversation: Conversation): boolean {
  return conversation.kind === 'channel' || conversation.user_ids !== null;
}

/** The buttons of a notification about messages. */
export function actionsOf(conversation: Conversation, texts: NotificationTexts): readonly Action[] {
  const reply: Action = { action: 'reply', title: texts.reply, type: 'text', placeholder: texts.replyHint };
  const read: Action = { action: 'read', title: texts.read };
  return canReply(conversation) ? [reply, read] : [read];
}

/** Conversations with unknown participants are not known to be the same. */
export function isSameConversation(one: Conversation, other: Conversation): boolean {
  const key = keyOf(one);
  return key !== undefined && key === keyOf(other);
}

function keyOf(conversation: Conversation): string | undefined {
  return conversation.kind === 'channel'
    ? `${conversation.channel_id}:${conversation.topic.toLowerCase()}`
    : conversation.user_ids?.join(',');
}

/** The view of the conversation, at the message. */
export function narrowOf({ conversation, messageId, userId }: ShownData): Narrow {
  const near = { operator: 'near', operand: messageId };
  if (conversation.kind === 'channel') {
    const { channel_id, topic } = conversation;
    return [{ operator: 'channel', operand: channel_id }, { operator: 'topic', operand: topic }, near];
  }
  if (conversation.user_ids === null) return [{ operator: 'is', operand: 'dm' }, near];
  const others = conversation.user_ids.filter((id) => id !== userId);
  return [{ operator: 'dm', operand: others.length === 0 ? [userId] : others }, near];
}
