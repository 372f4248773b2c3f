import { messageAudiences } from '../../access/message-audience.ts';
import { accessMessages, noSuchMessage } from '../../access/message-door.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { TypingBody, TypingEditMessageBody } from './events.ts';
import { checkTells, MAX_CHANNEL_SUBSCRIBERS, withoutUninterested } from './interest.ts';

/**
 * Notifies the audience of an edit that its author is writing it (public reference: "Set "typing" status for message editing").
 * @throws ApiError `BAD_REQUEST`: no such message for this user, a message that they may not edit, or a user who does not share their
 *   typing
 */
export async function typeInEdit(
  organization: Organization,
  caller: UserRecord,
  op: TypingBody['op'],
  messageId: number,
): Promise<void> {
  const notice = await organization.read(caller, async ({ db, directory, caller: author }) => {
    await accessMessages(db, directory, author, [messageId], 'edit-content', 'look');
    const found = (await messageAudiences(db, directory, [messageId])).get(messageId);
    // The message can be deleted between the two reads.
    if (found === undefined) throw noSuchMessage();
    const { channelId, topic, others, participants } = found;
    checkTells(author, channelId === null ? 'direct' : 'channel');
    const common = { op, senderId: author.id, messageId };
    if (channelId === null) {
      const body: TypingEditMessageBody = { ...common, userIds: participants };
      return { body, audience: withoutUninterested(directory, found.audience, participants) };
    }
    const subscribers = [...directory.subscriptions.of(channelId).keys()];
    if (subscribers.length > MAX_CHANNEL_SUBSCRIBERS) return undefined;
    const body: TypingEditMessageBody = { ...common, channelId, topic };
    return { body, audience: withoutUninterested(directory, found.audience, [...subscribers, ...others]) };
  });
  if (notice !== undefined) await organization.announce({ type: 'typing_edit_message', ...notice });
}
