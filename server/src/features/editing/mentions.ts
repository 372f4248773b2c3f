import { sql } from 'kysely';
import { wasReceived } from '../../access/unread-messages.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { DbTransaction } from '../../db/schema.ts';

/** Whom a message's new text mentions by themselves, and as participants of its topic. */
export interface Mentioned {
  readonly users: readonly number[];
  readonly participants: readonly number[];
}

const MENTION_BITS = FlagBit.mentioned | FlagBit.topicMentioned;

/**
 * Keeps others from the read state of those whom the message mentions and of those named, to the end of the transaction. Index:
 * message_flags_by_message.
 * @returns whether there are any
 */
export async function lockMentioned(
  db: DbTransaction,
  organizationId: number,
  messageId: number,
  { users, participants }: Mentioned,
): Promise<boolean> {
  const rows = await executePrepared(
    db,
    'lock mentioned readers',
    sql`
    SELECT pg_advisory_xact_lock(${organizationId}::integer, user_id)
      FROM (SELECT user_id FROM message_flags
             WHERE organization_id = ${organizationId} AND message_id = ${messageId} AND flags & ${MENTION_BITS} <> 0
             UNION SELECT unnest(${[...users, ...participants]}::integer[])
             ORDER BY 1 OFFSET 0) AS concerned`,
  );
  return rows.length > 0;
}

/**
 * Flags those whom the message mentions now, and takes the flags from those whom it mentioned before. Only who received it is mentioned by
 * it: who takes part in the conversation, or was subscribed when it was sent. After `lockMentioned`. Indexes: message_flags_by_message, the primary keys.
 */
export async function changeMentions(
  db: DbTransaction,
  organizationId: number,
  messageId: number,
  { users, participants }: Mentioned,
): Promise<void> {
  const named = [...users, ...participants];
  const bits = [...users.map(() => FlagBit.mentioned), ...participants.map(() => FlagBit.topicMentioned)];
  const whose = { organizationId, userId: sql.ref('named.user_id') };
  await executePrepared(
    db,
    'change mentions',
    sql`
      WITH wanted AS MATERIALIZED (
        SELECT named.user_id, bit_or(named.bit)::smallint AS bits
          FROM messages m, unnest(${named}::integer[], ${bits}::integer[]) AS named (user_id, bit)
         WHERE m.organization_id = ${organizationId} AND m.id = ${messageId}
           AND CASE WHEN m.channel_id IS NOT NULL THEN ${wasReceived(whose)}
                    ELSE EXISTS (
                           SELECT FROM direct_participants p
                            WHERE p.organization_id = ${organizationId} AND p.user_id = named.user_id
                              AND p.conversation_id = m.conversation_id) END
         GROUP BY named.user_id
      ), unwanted AS MATERIALIZED (
        SELECT user_id, flags FROM message_flags
         WHERE organization_id = ${organizationId} AND message_id = ${messageId} AND flags & ${MENTION_BITS} <> 0
           AND user_id NOT IN (SELECT user_id FROM wanted)
      ), lowered AS (
        UPDATE message_flags AS flag SET flags = flag.flags & ~${MENTION_BITS}::smallint
          FROM unwanted
         WHERE flag.organization_id = ${organizationId} AND flag.message_id = ${messageId}
           AND flag.user_id = unwanted.user_id AND unwanted.flags & ~${MENTION_BITS}::smallint <> 0
      ), dropped AS (
        DELETE FROM message_flags AS flag
         USING unwanted
         WHERE flag.organization_id = ${organizationId} AND flag.message_id = ${messageId}
           AND flag.user_id = unwanted.user_id AND unwanted.flags & ~${MENTION_BITS}::smallint = 0
      )
      INSERT INTO message_flags (organization_id, user_id, message_id, flags)
      SELECT ${organizationId}::integer, user_id, ${messageId}::bigint, bits FROM wanted
          ON CONFLICT (organization_id, user_id, message_id)
          DO UPDATE SET flags = (message_flags.flags & ~${MENTION_BITS}::smallint) | excluded.flags`,
  );
}
