import { ApiError } from '@heddle/api/errors.ts';
import { readerOf } from '../../access/readable-messages.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization, ReadMore } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { mentionsIn } from '../../markup/index.ts';
import type { MessageContent } from '../messages/present.ts';
import { completeMessages, type MessageRow, messageFor, messageWithId, selectMessages } from '../messages/queries.ts';
import { mayBeTold } from './triggers.ts';

/**
 * The message as it is now, if the bot's service is still to be told of it: not where it was deleted, mentions the bot no longer, or has come
 * out of its reach; nor of what is too large to be read. Index: the primary key.
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
    // The bot was closed meanwhile.
    if (error instanceof ApiError && error.code !== 'SERVICE_UNAVAILABLE') return undefined;
    throw error;
  }
}

function concerns(directory: Directory, bot: UserRecord, { channel, participants, renderedContent }: MessageContent) {
  if (channel === null) return participants.some(({ id }) => id === bot.id);
  const place = directory.channel(channel.id);
  return place !== undefined && mayBeTold(directory, bot, place) && mentionsIn(renderedContent).userIds.has(bot.id);
}
