/** What browsers receive (`api/src/objects/web-push-payload.ts`), within the limit of bytes. */
import { MAX_WEB_PUSH_PAYLOAD_BYTES, type WebPushPayload } from '@heddle/api/objects/web-push-payload.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../access/limits.ts';
import type { MessageNotice } from '../../domain/notifications/push-notifications/notices.ts';

/** Ids of messages in each list of a payload. Older notifications are of less use. */
export const MAX_IDS_PER_PAYLOAD = 50;
/** Participants of a conversation in a payload. */
const MAX_PARTICIPANTS_PER_PAYLOAD = 50;
/** A shorter text says nothing. */
const MIN_TEXT_LENGTH = 20;
/** The path of the app. An organization has a host of its own. */
const APP_PATH = '/';

type MessagePayload = Extract<WebPushPayload, { readonly kind: 'message' }>;

/** What all payloads for a conversation on a device say. */
export interface About {
  readonly userId: number;
  readonly tag: string;
  /** Ascending. */
  readonly removedIds: readonly number[];
  readonly unread: number | null;
}

export interface Shown {
  readonly notice: MessageNotice;
  /** Ascending. */
  readonly messageIds: readonly number[];
  readonly isUpdate: boolean;
  readonly showsText: boolean;
  /** Of the organization. */
  readonly origin: string;
}

/** @param shown undefined: nothing is left to show in the conversation */
export function payloadOf(about: About, shown: Shown | undefined): Buffer {
  const common = {
    version: 1 as const,
    path: APP_PATH,
    user_id: about.userId,
    tag: about.tag,
    removed_ids: about.removedIds.slice(-MAX_IDS_PER_PAYLOAD),
    unread: about.unread,
  };
  if (shown === undefined) return bytesOf({ ...common, kind: 'remove' });
  const { notice, messageIds, isUpdate, showsText, origin } = shown;
  const { sender, place, mention } = notice;
  return fitted({
    ...common,
    kind: 'message',
    is_update: isUpdate,
    message_id: notice.messageId,
    message_ids: messageIds.slice(-MAX_IDS_PER_PAYLOAD),
    conversation: conversationOf(place),
    sender: { id: sender.id, name: sender.fullName, avatar: withoutOrigin(sender.avatarUrl, origin) },
    mention: typeof mention === 'string' ? mention : 'group',
    sent_at: notice.sentAt,
    title: titleOf(notice),
    text: showsText ? notice.content : null,
  });
}

function conversationOf(place: MessageNotice['place']): MessagePayload['conversation'] {
  if ('channel' in place) {
    const { channel, topic } = place;
    return { kind: 'channel', channel_id: channel.id, channel_name: channel.name, topic };
  }
  const ids = place.participants.map(({ id }) => id);
  return { kind: 'direct', user_ids: ids.length > MAX_PARTICIPANTS_PER_PAYLOAD ? null : ids };
}

function titleOf({ place, sender }: MessageNotice): string {
  if ('channel' in place) return `#${place.channel.name} > ${place.topic || EMPTY_TOPIC_DISPLAY_NAME}`;
  if (place.participants.length <= 2) return sender.fullName;
  const names = place.participants.slice(0, MAX_PARTICIPANTS_PER_PAYLOAD).map(({ fullName }) => fullName);
  return names.toSorted().join(', ');
}

function withoutOrigin(url: string, origin: string): string {
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

/** Shortens the lists of messages, then the title, then the text, until the payload fits. */
function fitted(payload: MessagePayload): Buffer {
  const bytes = bytesOf(payload);
  if (bytes.length <= MAX_WEB_PUSH_PAYLOAD_BYTES) return bytes;
  const { removed_ids: removed, text, title, message_ids: ids } = payload;
  if (removed.length > 0) return fitted({ ...payload, removed_ids: removed.slice(Math.ceil(removed.length / 2)) });
  if (ids.length > 1) return fitted({ ...payload, message_ids: ids.slice(Math.floor(ids.length / 2)) });
  if (title.length > MIN_TEXT_LENGTH) return fitted({ ...payload, title: halfOf(title) });
  if (text !== null) return fitted({ ...payload, text: text.length > MIN_TEXT_LENGTH ? halfOf(text) : null });
  // Names of channels, topics and people have limits. So this happens for no message.
  return bytesOf({ ...payload, sender: { ...payload.sender, avatar: '' } });
}

function halfOf(text: string): string {
  const characters = [...text];
  return `${characters.slice(0, characters.length / 2).join('')}…`;
}

function bytesOf(payload: WebPushPayload): Buffer {
  return Buffer.from(JSON.stringify(payload));
}
