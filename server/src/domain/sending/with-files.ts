import { activeUser } from '../../directory/active-user.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import { changeAutomatically } from '../topics/automatic.ts';
import { linkableFiles, markLinked, NewLinks } from '../uploads/links.ts';
import { type Draft, prepareMessage } from './prepare.ts';
import { sendMessage } from './send-message.ts';
import type { SentMessage } from './with-policies.ts';

/**
 * Sends a message that may link to uploaded files. It locks the files. So its HTML matches the state of the files at
 * the commit, and no other transaction deletes them meanwhile.
 * @throws ApiError if the message is invalid or not allowed
 */
export async function sendWithFiles(change: OrdinaryChange, draft: Draft): Promise<SentMessage> {
  const { db, directory, entry, append } = change;
  const user = activeUser(directory, draft.senderId);
  const [files] = await linkableFiles(db, directory, [{ user, content: draft.content }], 'change');
  const prepared = prepareMessage(directory, { ...draft, ...(files && { files }) }, Date.now());
  const { message, inTopic } = prepared;
  const [policies] = inTopic === null ? [] : await changeAutomatically(db, directory, [inTopic]);
  const linked = new NewLinks().next(prepared.files, message.sentAt);
  await markLinked(db, directory.organization.id, linked?.attachmentIds ?? []);
  for (const event of policies?.events ?? []) append(event);
  const sent = { messageId: 0, newPolicy: policies?.policy };
  sendMessage(entry, { ...message, ...(linked && { files: linked }) }, (messageId) => {
    sent.messageId = messageId;
  });
  return sent;
}
