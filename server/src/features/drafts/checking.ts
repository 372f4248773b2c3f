import { badRequest } from '@heddle/api/errors.ts';
import type { writtenDraft } from '@heddle/api/objects/draft.ts';
import type { Static } from 'typebox';
import { accessChannel } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { checkedContent } from '../../domain/sending/sending/checking.ts';
import { findRecipients } from '../../domain/sending/sending/recipients.ts';
import { cutTopic, storedTopic } from '../../domain/texts/shared/topic-names.ts';

/** A draft as a client sends it. */
export type WrittenDraft = Static<typeof writtenDraft>;

/** The stored part of a draft. */
export interface CheckedDraft {
  readonly channel_id: number | null;
  readonly recipients: number[];
  readonly topic: string;
  readonly content: string;
  readonly edited_at: Date;
}

/**
 * A draft as it is stored (interface document, "Draft"). The writer need not be allowed to send it. They must only know of its recipients.
 * @param now milliseconds since the epoch
 * @throws ApiError `BAD_REQUEST`: no text, a time before 1970, not exactly one channel, a channel that they may not read, or an unknown
 *   user
 */
export function checkedDraft(directory: Directory, writer: UserRecord, draft: WrittenDraft, now: number): CheckedDraft {
  const content = checkedContent(draft.content);
  const timestamp = draft.timestamp ?? now / 1000;
  if (timestamp < 0) throw badRequest('Timestamp must not be negative.');
  return { ...addressOf(directory, writer, draft), content, edited_at: new Date(timestamp * 1000) };
}

function addressOf(
  directory: Directory,
  writer: UserRecord,
  { type, to, topic }: WrittenDraft,
): Pick<CheckedDraft, 'channel_id' | 'recipients' | 'topic'> {
  if (type === 'stream') {
    return { channel_id: channelOf(directory, writer, to), recipients: [], topic: cutTopic(storedTopic(topic)) };
  }
  return { channel_id: null, recipients: type === 'private' ? othersOf(directory, writer, to) : [], topic: '' };
}

function channelOf(directory: Directory, writer: UserRecord, to: readonly number[]): number {
  const [named, ...others] = to;
  if (named === undefined || others.length > 0) {
    throw badRequest('Must specify exactly 1 channel ID for channel messages');
  }
  const channel = accessChannel(directory, writer, named, 'read');
  // With the text for a channel that does not exist, as in the reference.
  if (channel.isArchived) throw badRequest('Invalid channel ID');
  return channel.id;
}

/** Ascending; the writer only if there are no others. */
function othersOf(directory: Directory, writer: UserRecord, to: readonly number[]): number[] {
  const recipients = findRecipients(directory, writer, [...new Set(to)]).map(({ id }) => id);
  const others = recipients.filter((id) => id !== writer.id).sort((a, b) => a - b);
  return recipients.length > 0 && others.length === 0 ? [writer.id] : others;
}
