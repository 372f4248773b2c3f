/** Messages for guests who cannot access all users (public reference: `can_access_all_users_group`). */
import { asInaccessible, canAccessId, hasInaccessibleUsers } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { unknownAvatarUrl } from '../../users/users/avatars.ts';
import type { FetchedMessage } from './fetched-message.ts';
import type { MessageContent } from './message-body.ts';

/** The message with only the id of its sender. */
export function fromInaccessible<Content extends MessageContent>(directory: Directory, message: Content): Content {
  const avatar = { url: unknownAvatarUrl('small'), isGravatar: false };
  return { ...message, sender: { ...asInaccessible(directory, message.sender), avatar } };
}

/** The message in the form that the reader can see: an inaccessible sender is hidden. */
export function messageFor(directory: Directory, reader: UserRecord, message: FetchedMessage): FetchedMessage {
  if (!hasInaccessibleUsers(directory, reader)) return message;
  const { content } = message;
  return {
    ...message,
    content: canAccessId(directory, reader, content.sender.id) ? content : fromInaccessible(directory, content),
  };
}
