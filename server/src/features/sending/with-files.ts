import { activeUser } from '../../directory/active-user.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import { changeAutomatically } from '../topics/actions.ts';
import { linkableFiles, markLinked, NewLinks } from '../uploads/actions.ts';
import { type Draft, prepareMessage } from './prepare.ts';
import type { SentMessage } from './with-policies.ts';

/**
 * Sends a message that may link to uploaded files: they are locked, so that what it shows of them is what they are when it is there, and
 * that nobody deletes them meanwhile.
 * @throws ApiError for what makes the message impossible
 */
export async function sendWithFiles(change: OrdinaryChange, draft: Draft): Promise<SentMessage> {
  const { db, directory, append, send } = change;
  const user = activeUser(directory, draft.senderId);
  const [files] = await linkableFiles(db, directory, [{ user, content: draft.content }], 'change');
  const prepared = prepareMessage(directory, { ...draft, ...(files && { files }) }, Date.now());
  const { message, inTopic } = prepared;
  const [policies] = inTopic === null ? [] : await changeAutomatically(db, directory, [inTopic]);
  const linked = new NewLinks().next(prepared.files, message.sentAt);
  await markLinked(db, directory.organization.id, linked?.attachmentIds ?? []);
  for (const event of policies?.events ?? []) append(event);
  const sent = { messageId: 0, newPolicy: policies?.policy };
  send({ ...message, ...(linked && { files: linked }) }, (messageId) => {
    sent.messageId = messageId;
  });
  return sent;
}
