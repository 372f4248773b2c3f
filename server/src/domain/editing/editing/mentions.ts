import { type RawBuilder, sql } from 'kysely';
import { MAX_MENTIONS_BY_ROWS } from '../../../access/mass-mentions.ts';
import { wasReceived } from '../../../access/unread-messages.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import { executePrepared } from '../../../db/prepared.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import { userBits } from '../../../db/user-bits.ts';

/**
 * The users that a message mentions by name or by a group, the mentioned participants of its topic, and users with an alert word in it.
 * Only users who received the message are flagged, and bots.
 */
export interface Mentioned {
  readonly users: readonly number[];
  /**
   * Those of the users who are bots, are mentioned by name and can read the message. They count even if they did not
   * receive it.
   */
  readonly bots: readonly number[];
  readonly participants: readonly number[];
  readonly alerted: readonly number[];
}

/** Which forms of stored mentions a message has: flag rows, and the set of a mass mention (access/mass-mentions.ts). */
export interface KeptMentions {
  readonly rows: boolean;
  readonly many: boolean;
}

const MENTION_BITS = FlagBit.mentioned | FlagBit.topicMentioned | FlagBit.alerted;

/** Indexes: message_flags_by_message, the primary key of mass_mentions. */
export async function keptMentions(
  db: DbTransaction,
  organizationId: number,
  messageId: number,
): Promise<KeptMentions> {
  const [kept] = await executePrepared(
    db,
    'kept mentions',
    sql<KeptMentions>`
    SELECT EXISTS (SELECT FROM message_flags
                    WHERE organization_id = ${organizationId} AND message_id = ${messageId}
                      AND flags & ${MENTION_BITS} <> 0) AS rows,
           EXISTS (SELECT FROM mass_mentions
                    WHERE organization_id = ${organizationId} AND message_id = ${messageId}) AS many`,
  );
  return kept ?? { rows: false, many: false };
}

/**
 * Flags the users whom a locked message mentions now, and removes the flags of those whom it mentioned before. Indexes:
 * message_flags_by_message, the primary keys.
 * @returns whether it is a mass mention now, which has no rows for its users
 */
export async function changeMentions(
  db: DbTransaction,
  organizationId: number,
  messageId: number,
  mentioned: Mentioned,
  kept: KeptMentions,
): Promise<boolean> {
  const { users, bots, participants, alerted } = mentioned;
  const asked = [...users, ...participants, ...alerted];
  if (asked.length === 0 && !kept.rows && !kept.many) return false;
  const received =
    users.length > MAX_MENTIONS_BY_ROWS ? await receivedAmong(db, { organizationId, messageId }, mentioned) : users;
  const isMany = received.length > MAX_MENTIONS_BY_ROWS;
  await changeRows(db, { organizationId, messageId }, { ...mentioned, users: isMany ? bots : received });
  if (kept.many)
    await sql`
    DELETE FROM mass_mentions WHERE organization_id = ${organizationId} AND message_id = ${messageId}`.execute(db);
  if (isMany) {
    const { first, bits } = userBits(received);
    await sql`
      INSERT INTO mass_mentions (organization_id, message_id, first_user_id, user_bits)
      VALUES (${organizationId}, ${messageId}, ${first}, ${bits})`.execute(db);
  }
  return isMany;
}

interface OfMessage {
  readonly organizationId: number;
  readonly messageId: number;
}

/** Those of the users who received the message, and the bots. */
async function receivedAmong(
  db: DbTransaction,
  { organizationId, messageId }: OfMessage,
  { users, bots }: Mentioned,
): Promise<readonly number[]> {
  const { rows } = await sql<{ user_id: number }>`
    SELECT named.user_id FROM messages m, unnest(${users}::integer[]) AS named (user_id)
     WHERE m.organization_id = ${organizationId} AND m.id = ${messageId}
       AND ${hasMessage(organizationId, bots)}`.execute(db);
  return rows.map((row) => row.user_id);
}

/** Whether the user of the row `named` has received message `m`, or is one of the bots. */
function hasMessage(organizationId: number, bots: readonly number[]): RawBuilder<boolean> {
  return sql`
    CASE WHEN named.user_id = ANY (${bots}::integer[]) THEN true
         WHEN m.channel_id IS NOT NULL THEN ${wasReceived({ organizationId, userId: sql.ref('named.user_id') })}
         ELSE EXISTS (
                SELECT FROM direct_participants p
                 WHERE p.organization_id = ${organizationId} AND p.user_id = named.user_id
                   AND p.conversation_id = m.conversation_id) END`;
}

async function changeRows(
  db: DbTransaction,
  { organizationId, messageId }: OfMessage,
  { users, bots, participants, alerted }: Mentioned,
): Promise<void> {
  const named = [...users, ...participants, ...alerted];
  const bits = [
    ...users.map(() => FlagBit.mentioned),
    ...participants.map(() => FlagBit.topicMentioned),
    ...alerted.map(() => FlagBit.alerted),
  ];
  // Sent together. The first statement locks the users as `lockUsers` does; the second reads their rows after that.
  await Promise.all([
    executePrepared(
      db,
      'lock mentioned readers',
      sql`
      SELECT pg_advisory_xact_lock(${organizationId}::integer, user_id)
        FROM (SELECT user_id FROM message_flags
               WHERE organization_id = ${organizationId} AND message_id = ${messageId} AND flags & ${MENTION_BITS} <> 0
               UNION SELECT unnest(${named}::integer[])
               ORDER BY 1 OFFSET 0) AS concerned`,
    ),
    executePrepared(
      db,
      'change mentions',
      sql`
      WITH wanted AS MATERIALIZED (
        SELECT named.user_id, bit_or(named.bit)::smallint AS bits
          FROM messages m, unnest(${named}::integer[], ${bits}::integer[]) AS named (user_id, bit)
         WHERE m.organization_id = ${organizationId} AND m.id = ${messageId} AND ${hasMessage(organizationId, bots)}
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
    ),
  ]);
}
