import { badRequest } from '@heddle/api/errors.ts';
import type { writtenDraft } from '@heddle/api/objects/draft.ts';
import type { Static } from 'typebox';
import { accessChannel } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { checkedContent, findRecipients } from '../sending/actions.ts';
import { cutTopic, storedTopic } from '../topic-names.ts';

/** As a client sends it. */
export type WrittenDraft = Static<typeof writtenDraft>;

/** What is kept of a draft. */
export interface CheckedDraft {
  readonly channel_id: number | null;
  readonly recipients: number[];
  readonly topic: string;
  readonly content: string;
  readonly edited_at: Date;
}

/**
 * A draft as it is kept (interface document, "Draft"). Nobody asks whether its writer may send it; that it has a recipient whom they
 * may know of is all.
 * @param now milliseconds since the epoch
 * @throws ApiError `BAD_REQUEST`: no text, a time before 1970, not exactly one channel, a channel that they may not read, or a user
 * who is not there
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
  // In the words for one that does not exist, as the reference has it.
  if (channel.isArchived) throw badRequest('Invalid channel ID');
  return channel.id;
}

/** Ascending; the writer only where there is nobody else. */
function othersOf(directory: Directory, writer: UserRecord, to: readonly number[]): number[] {
  const recipients = findRecipients(directory, writer, [...new Set(to)]).map(({ id }) => id);
  const others = recipients.filter((id) => id !== writer.id).sort((a, b) => a - b);
  return recipients.length > 0 && others.length === 0 ? [writer.id] : others;
}
