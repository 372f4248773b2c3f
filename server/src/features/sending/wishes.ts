import type { Directory } from '../../directory/directory.ts';
import type { MessageBody } from '../messages/present.ts';

/**
 * For whom a message begins as read because they have muted its sender, and whom it alerts by one of their words.
 * @param recipients all of them, or whether somebody is one
 */
export function wishesAbout(
  { alertWords, mutes }: Directory,
  senderId: number,
  content: string,
  recipients: readonly number[] | ((userId: number) => boolean),
): Pick<MessageBody, 'readBy' | 'alerted'> {
  const among = (users: ReadonlySet<number>) =>
    typeof recipients === 'function' ? [...users].filter(recipients) : recipients.filter((userId) => users.has(userId));
  const readBy = among(mutes.mutersOf(senderId));
  const alerted = among(alertWords.usersAlertedBy(content));
  return { ...(readBy.length > 0 && { readBy }), ...(alerted.length > 0 && { alerted }) };
}
