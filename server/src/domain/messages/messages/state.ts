import { sql } from 'kysely';
import { wasReceived } from '../../../access/unread-messages.ts';
import { type StateReader, statePart } from '../../../extension/initial-state.ts';

export const newestMessageState = statePart<number | null>({
  types: ['message'],
  select: newestMessageId,
  build: (_, newest) => ({ max_message_id: newest ?? -1 }),
  spectators: { build: () => ({ max_message_id: -1 }) },
});

/** How many of the organization's newest messages are looked through before the channels of the user. */
const MAX_LOOKED_AT_MESSAGES = 50;

/**
 * The newest message that the user received, or would have received, through events; null for none. The user may be
 * able to read newer ones. The result may be elsewhere now, or unreadable. Most users received one of the newest
 * messages of the organization, so the walk along their memberships is rarely necessary.
 */
function newestMessageId(reader: StateReader) {
  return sql<number | null>`SELECT coalesce((${newestOfLast(reader)}), (${newestOfMemberships(reader)}))`;
}

/** Index: the primary keys. */
function newestOfLast(reader: StateReader) {
  const { organizationId, userId } = reader;
  const participates = sql`EXISTS (
    SELECT FROM direct_participants member
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId}
       AND member.conversation_id = m.conversation_id)`;
  return sql`
    SELECT m.id FROM (
      SELECT id, channel_id, home_channel_id, conversation_id FROM messages
       WHERE organization_id = ${organizationId} ORDER BY id DESC LIMIT ${sql.lit(MAX_LOOKED_AT_MESSAGES)}
    ) AS m
     WHERE CASE WHEN m.conversation_id IS NULL THEN ${wasReceived(reader)} ELSE ${participates} END
     ORDER BY m.id DESC LIMIT 1`;
}

/** Indexes: messages_by_channel and _conversation, messages_moved_by_home; one step for each membership. */
function newestOfMemberships({ organizationId, userId }: StateReader) {
  return sql`
    WITH spans AS (
      SELECT channel_id, since_message_id, until_message_id FROM user_channel_spans
       WHERE organization_id = ${organizationId} AND user_id = ${userId}
    )
    SELECT greatest(
      (SELECT max(latest.id) FROM spans, LATERAL (
         SELECT m.id FROM messages m
          WHERE m.organization_id = ${organizationId} AND m.channel_id = spans.channel_id
            AND m.home_channel_id IS NULL
            AND m.id > spans.since_message_id AND m.id <= spans.until_message_id
          ORDER BY m.id DESC LIMIT 1
       ) AS latest),
      (SELECT max(latest.id) FROM spans, LATERAL (
         SELECT m.id FROM messages m
          WHERE m.organization_id = ${organizationId} AND m.home_channel_id = spans.channel_id
            AND m.id > spans.since_message_id AND m.id <= spans.until_message_id
          ORDER BY m.id DESC LIMIT 1
       ) AS latest),
      (SELECT max(latest.id) FROM direct_participants member, LATERAL (
         SELECT m.id FROM messages m
          WHERE m.organization_id = ${organizationId} AND m.conversation_id = member.conversation_id
          ORDER BY m.id DESC LIMIT 1
       ) AS latest
        WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId})
    )`;
}
