import type { Directory } from '../../directory/directory.ts';
import { alertedBy } from '../alert-words/queries.ts';
import type { MessageBody } from '../messages/message-body.ts';

/**
 * For which recipients a message starts as read because they muted its sender, and whom it alerts.
 * @param recipients all of them, or a check for one user
 */
export function wishesAbout(
  directory: Directory,
  senderId: number,
  content: string,
  recipients: readonly number[] | ((userId: number) => boolean),
): Pick<MessageBody, 'readBy' | 'alerted'> {
  const among = (users: ReadonlySet<number>) =>
    typeof recipients === 'function' ? [...users].filter(recipients) : recipients.filter((userId) => users.has(userId));
  const readBy = among(directory.mutes.mutersOf(senderId));
  const alerted = among(alertedBy(directory, content));
  return { ...(readBy.length > 0 && { readBy }), ...(alerted.length > 0 && { alerted }) };
}
