import { badRequest } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { accessMessages } from '../../access/message-door.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import { knows } from '../../access/people.ts';
import { isUnread } from '../../access/unread-messages.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { settingOf } from '../user-settings/queries.ts';

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
export async function readersTold(
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
      if (!knows(directory, reader, user)) return [];
      if (directory.mutes.has(reader.id, userId) || directory.mutes.has(userId, reader.id)) return [];
      return settingOf(user, 'send_read_receipts') ? [userId] : [];
    });
  });
}

/**
 * The users who received the message and for whom it is not unread. The cost depends on the size of its audience.
 * Indexes: subscriptions_by_channel, message_flags_by_message, the primary keys.
 */
function whoHasRead(organizationId: number, messageId: number): RawBuilder<{ user_id: number }> {
  return sql<{ user_id: number }>`
    WITH m AS MATERIALIZED (
      SELECT id, channel_id, conversation_id, home_channel_id, stay_channels, stay_since
        FROM messages WHERE organization_id = ${organizationId} AND id = ${messageId}
    ), flag AS MATERIALIZED (
      SELECT user_id, flags FROM message_flags
       WHERE organization_id = ${organizationId} AND message_id = ${messageId}
    ), receiver AS MATERIALIZED (
      SELECT s.user_id FROM m JOIN subscriptions s
          ON s.organization_id = ${organizationId} AND s.channel_id = coalesce(m.home_channel_id, m.channel_id)
         AND s.is_active AND s.since_message_id < m.id
       UNION
      SELECT i.user_id FROM m JOIN subscription_intervals i
          ON i.organization_id = ${organizationId} AND i.channel_id = coalesce(m.home_channel_id, m.channel_id)
         AND i.since_message_id < m.id AND m.id <= i.until_message_id
       UNION
      SELECT unnest(c.participants) FROM m JOIN direct_conversations c
          ON c.organization_id = ${organizationId} AND c.id = m.conversation_id
    ), member AS MATERIALIZED (
      SELECT s.user_id, s.read_through FROM m JOIN subscriptions s
          ON s.organization_id = ${organizationId} AND s.channel_id = m.channel_id AND s.is_active
       UNION ALL
      SELECT p.user_id, p.read_through
        FROM m
        JOIN direct_conversations c ON c.organization_id = ${organizationId} AND c.id = m.conversation_id
        JOIN direct_participants p ON p.organization_id = ${organizationId} AND p.conversation_id = c.id
         AND p.user_id = ANY (c.participants)
    ), one AS MATERIALIZED (
      -- No join of them: see server/src/db/README.md.
      SELECT user_id, max(read_through) AS read_through, coalesce(max(flags), 0) AS flags FROM (
        SELECT user_id, true AS receives, NULL::bigint AS read_through, NULL::smallint AS flags FROM receiver
         UNION ALL
        SELECT user_id, NULL, read_through, NULL FROM member
         UNION ALL
        SELECT user_id, NULL, NULL, flags FROM flag
      ) AS known GROUP BY user_id HAVING bool_or(receives)
    )
    SELECT one.user_id
      FROM m, one
     WHERE NOT CASE
             WHEN one.read_through IS NULL THEN false
             WHEN one.flags & ${FlagBit.unread} <> 0 THEN true
             WHEN one.flags & ${FlagBit.read} <> 0 THEN false
             WHEN m.home_channel_id IS NOT NULL THEN ${isUnread({ organizationId, userId: sql.ref('one.user_id') })}
             ELSE m.id > one.read_through END
     ORDER BY one.user_id`;
}
