import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { MessageFacts } from '@heddle/client/model/permissions/message-permissions.ts';

/** What decides who may change the message. */
export function factsOf({ senderId, place, timestamp }: MessageRecord): MessageFacts {
  return { senderId, channelId: place.kind === 'topic' ? place.channelId : null, sentAt: timestamp };
}

/** Now, in seconds since the epoch. */
export function nowSeconds(): number {
  return Date.now() / 1000;
}
