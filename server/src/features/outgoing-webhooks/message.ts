import { ApiError } from '@heddle/api/errors.ts';
import { readerOf } from '../../access/readable-messages.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { ReadMore } from '../../directory/reading.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { MessageContent } from '../../domain/messages/messages/message-body.ts';
import {
  completeMessages,
  type MessageRow,
  messageWithId,
  selectMessages,
} from '../../domain/messages/messages/queries.ts';
import { messageFor } from '../../domain/messages/messages/seen-by-guests.ts';
import { mentionsIn } from '../../markup/index.ts';
import { mayBeNotified } from './triggers.ts';

/**
 * The current message, if the service must still be notified. Undefined if the message was deleted, no longer mentions the bot, is not
 * visible to it, or is too large. Index: the primary key.
 */
export async function messageToTell(
  organization: Organization,
  bot: UserRecord,
  messageId: number,
): Promise<MessageContent | undefined> {
  try {
    return await organization.readAtOnce(bot, async ({ directory, caller }) => {
      const reader = readerOf(directory, caller);
      return {
        statement: selectMessages(reader, messageWithId(messageId), 'both'),
        async result(rows: readonly MessageRow[], read: ReadMore) {
          const [message] = await completeMessages(read, directory, reader, rows);
          if (message === undefined || !concerns(directory, caller, message.content)) return undefined;
          return messageFor(directory, caller, message).content;
        },
      };
    });
  } catch (error) {
    // The bot was deactivated meanwhile.
    if (error instanceof ApiError && error.code !== 'SERVICE_UNAVAILABLE') return undefined;
    throw error;
  }
}

function concerns(directory: Directory, bot: UserRecord, { channel, participants, renderedContent }: MessageContent) {
  if (channel === null) return participants.some(({ id }) => id === bot.id);
  const place = directory.channel(channel.id);
  return place !== undefined && mayBeNotified(directory, bot, place) && mentionsIn(renderedContent).userIds.has(bot.id);
}
