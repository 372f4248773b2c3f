import type { submessage } from '@heddle/api/objects/submessage.ts';
import type { Static } from 'typebox';
import { MAX_SUBMESSAGES } from './limits.ts';
import type { Submessage } from './queries.ts';

/** Unique in the organization, and ascending for each message. */
export function submessageId(messageId: number, place: number): number {
  return messageId * MAX_SUBMESSAGES + place;
}

export function presentSubmessage(
  messageId: number,
  { place, senderId, kind, content }: Submessage,
): Static<typeof submessage> {
  return { id: submessageId(messageId, place), message_id: messageId, sender_id: senderId, msg_type: kind, content };
}
