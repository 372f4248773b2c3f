import type { SeenMessage } from '../../../access/message-door.ts';
import type { OptimisticChange } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { Audience } from '../../../log/event.ts';
import type { MessageUpdateBody, PlaceChange } from './body.ts';
import type { EditedContent } from './content.ts';
import type { MessageReaders } from './readers.ts';

export interface Update {
  /** Null if the server changed only the HTML. */
  readonly user: UserRecord | null;
  /** Seconds since the epoch. */
  readonly at: number;
  /** The message before the change. */
  readonly message: Pick<SeenMessage, 'id' | 'channelId'>;
  readonly messageIds: readonly number[];
  readonly content: Pick<EditedContent, 'before' | 'after' | 'isMeMessage' | 'concernsMany'> | null;
  readonly move?: PlaceChange;
  readonly readers: MessageReaders;
  readonly audience: Audience;
}

export function appendUpdate({ directory, append }: OptimisticChange, update: Update): void {
  const { user, at, message, messageIds, content, move, readers, audience } = update;
  const channel = message.channelId === null ? undefined : directory.channel(message.channelId);
  const isAlone = messageIds.length === 1;
  const body: MessageUpdateBody = {
    ...(!isAlone && { messageId: message.id }),
    userId: user?.id ?? null,
    ...(user === null && { isRenderingOnly: true }),
    at,
    messageIds,
    channel: channel === undefined ? null : { id: channel.id, name: channel.name },
    content:
      content === null ? null : { before: content.before, after: content.after, isMeMessage: content.isMeMessage },
    ...(move !== undefined && { move }),
    readers,
  };
  append({
    type: 'update_message',
    audience,
    body,
    ...(isAlone && { messageId: message.id }),
    // A concurrent request may mark the message as unread, and its event says whether the message mentions the user.
    // Requests of single users wait for the edit. If everyone or many are affected, they conflict and retry, as after a
    // change of the directory.
    ...(content?.concernsMany === true && { deltas: [] }),
  });
}
