import { badRequest } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { accessMessages } from '../../../access/message-door.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import { canAccess } from '../../../access/people.ts';
import { usersOf } from '../../../access/unread-messages.ts';
import { executePrepared } from '../../../db/prepared.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { settingOf } from '../../users/user-settings/queries.ts';
import { mutesPart } from '../../users/users/mutes.ts';

/**
 * Returns the users who have read a message, as the caller can see them (public reference, "Get a message's read
 * receipts"). Excluded are:
 * - the sender, and deactivated users;
 * - users who hide their read receipts;
 * - users who are inaccessible for the caller;
 * - users whom the caller muted, or who muted the caller: their presence in the list would reveal it.
 * @throws ApiError if the caller cannot read the message, or the organization has no read receipts
 * @returns ids, ascending
 */
export async function visibleReaders(
  organization: Organization,
  caller: UserRecord,
  messageId: number,
): Promise<readonly number[]> {
  return organization.read(caller, async ({ db, directory, caller: reader }) => {
    const [message] = await accessMessages(db, directory, reader, [messageId], 'read', 'look');
    if (!organizationSetting(directory, 'enable_read_receipts')) {
      throw badRequest('Read receipts are disabled in this organization.');
    }
    const rows = await executePrepared(db, 'who has read', whoHasRead(organization.id, messageId));
    return rows.flatMap(({ user_id: userId }) => {
      const user = directory.user(userId);
      if (user === undefined || !user.isActive || userId === message?.senderId) return [];
      if (!canAccess(directory, reader, user)) return [];
      if (directory.part(mutesPart).has(reader.id, userId) || directory.part(mutesPart).has(userId, reader.id))
        return [];
      return settingOf(user, 'send_read_receipts') ? [userId] : [];
    });
  });
}

/** The users who received the message and for whom it is not unread. The cost depends on the size of its audience. */
function whoHasRead(organizationId: number, messageId: number): RawBuilder<{ user_id: number }> {
  return sql<{ user_id: number }>`
    WITH ${usersOf(organizationId, messageId)}
    SELECT user_id FROM (
      SELECT user_id FROM received
       UNION
      SELECT unnest(c.participants) FROM m JOIN direct_conversations c
          ON c.organization_id = ${organizationId} AND c.id = m.conversation_id
    ) AS receiver
     WHERE user_id NOT IN (SELECT user_id FROM member WHERE is_unread)
     ORDER BY user_id`;
}
