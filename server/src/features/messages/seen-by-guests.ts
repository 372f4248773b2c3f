/** Messages as they are told to guests who do not know everybody that they are of (public reference: `can_access_all_users_group`). */
import { asStranger, hasStrangers, knowsId } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { unknownAvatarUrl } from '../users/queries.ts';
import type { MessageContent } from './message-body.ts';
import type { FetchedMessage } from './queries.ts';

/** A message with of its sender no more than the id. */
export function fromStranger<Content extends MessageContent>(directory: Directory, message: Content): Content {
  const avatar = { url: unknownAvatarUrl('small'), isGravatar: false };
  return { ...message, sender: { ...asStranger(directory, message.sender), avatar } };
}

/** A message as the reader may see it, with strangers among those who have sent it or reacted. */
export function messageFor(directory: Directory, reader: UserRecord, message: FetchedMessage): FetchedMessage {
  if (!hasStrangers(directory, reader)) return message;
  const { content, reactions } = message;
  return {
    ...message,
    content: knowsId(directory, reader, content.sender.id) ? content : fromStranger(directory, content),
    reactions: reactions.map((reaction) =>
      knowsId(directory, reader, reaction.user.id)
        ? reaction
        : { ...reaction, user: asStranger(directory, reaction.user) },
    ),
  };
}
