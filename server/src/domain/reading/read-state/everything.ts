import { type RawBuilder, sql } from 'kysely';
import { membershipOf } from '../../../access/unread-messages.ts';
import { FlagBit, READING_BITS } from '../../../db/flag-bits.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import { lockUsers } from '../../../db/user-locks.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { FlagsBody } from './events.ts';

/** Rows per commit. */
const ROWS_PER_COMMIT = 5000;

/** Milliseconds for which one request writes rows. Then the client must repeat it. */
const WRITE_TIME_LIMIT_MS = 10_000;

/**
 * Marks all of the user's messages as read (public reference: "Mark all messages as read").
 *
 * Messages that were marked unread below the last read ids lose their rows first, the newest first, some thousands per
 * commit. The last commit moves all last read ids up to the newest message. It is an exclusive transaction, so its
 * single event is true for every message before it.
 * @param patience in milliseconds; after that, the next request continues
 * @returns whether everything is read
 */
export async function markEverythingRead(
  organization: Organization,
  caller: UserRecord,
  patience = WRITE_TIME_LIMIT_MS,
): Promise<boolean> {
  const until = performance.now() + patience;
  for (;;) {
    const ids = await organization.transact(caller, 'optimistic', async ({ db, append }, user) => {
      await lockUsers(db, organization.id, [user.id]);
      // If the rest fits into one commit, the last commit does it.
      if (!(await hasMoreMarked(db, organization.id, user.id))) return [];
      const messageIds = await readMarked(db, organization.id, user.id);
      append(readEvent(user.id, { messageIds }));
      return messageIds;
    });
    if (ids.length === 0) break;
    if (performance.now() >= until) return false;
  }
  const isDone = await organization.read(caller, async ({ db }) => !(await hasUnread(db, organization.id, caller.id)));
  if (isDone) return true;
  const { floor, isComplete } = await organization.transact(
    caller,
    'exclusive',
    async ({ db, position, append }, user) => {
      await lockUsers(db, organization.id, [user.id]);
      const marked = await readMarked(db, organization.id, user.id);
      const lowest = await raiseAll(db, organization.id, user.id, position.messageHead);
      if (marked.length > 0 || lowest !== null) append(readEvent(user.id, { messageIds: [], all: true }));
      return { floor: lowest, isComplete: marked.length < ROWS_PER_COMMIT };
    },
  );
  if (floor !== null) await dropReadRows(organization, caller, floor);
  return isComplete;
}

function readEvent(userId: number, named: Pick<FlagsBody, 'messageIds' | 'all'>) {
  const body: FlagsBody = { op: 'add', flag: 'read', details: null, ...named };
  return { type: 'update_message_flags', audience: { to: 'users', users: [userId] }, body } as const;
}

/** Whether more messages are marked unread than one commit handles. Index: message_flags_unread. */
async function hasMoreMarked(db: DbTransaction, organizationId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM message_flags
     WHERE organization_id = ${organizationId} AND user_id = ${userId} AND flags & 2 <> 0
     ORDER BY message_id DESC OFFSET ${ROWS_PER_COMMIT - 1} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/**
 * Marks the newest of the messages that are marked unread as read. Returns their ids, ascending. A moved message keeps
 * a row with `read`.
 */
async function readMarked(db: DbTransaction, organizationId: number, userId: number): Promise<readonly number[]> {
  const { rows } = await sql<{ message_id: number }>`
    WITH chosen AS MATERIALIZED (
      SELECT flag.ctid, flag.message_id,
             flag.flags & ~${READING_BITS}::smallint
               | CASE WHEN m.home_channel_id IS NULL THEN 0 ELSE ${FlagBit.read} END AS flags
        FROM (SELECT ctid, message_id, flags FROM message_flags
               WHERE organization_id = ${organizationId} AND user_id = ${userId} AND flags & 2 <> 0
               ORDER BY message_id DESC LIMIT ${ROWS_PER_COMMIT}) AS flag,
             LATERAL (
               SELECT home_channel_id FROM messages
                WHERE organization_id = ${organizationId} AND id = flag.message_id
               OFFSET 0
             ) AS m
    ), changed AS (
      UPDATE message_flags SET flags = chosen.flags
        FROM chosen
       WHERE message_flags.organization_id = ${organizationId} AND message_flags.user_id = ${userId}
         AND message_flags.ctid = chosen.ctid AND chosen.flags <> 0
    ), dropped AS (
      DELETE FROM message_flags
       WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(SELECT ctid FROM chosen WHERE flags = 0))
    )
    SELECT message_id FROM chosen ORDER BY message_id`.execute(db);
  return rows.map((row) => row.message_id);
}

/** Whether any message is unread: above a last read id, or marked so. Indexes: like `raiseAll`. */
async function hasUnread(db: DbTransaction, organizationId: number, userId: number): Promise<boolean> {
  const { rows } = await sql<{ unread: boolean }>`
    WITH ${placesWithUnread(organizationId, userId, sql`9223372036854775807`)}
    SELECT EXISTS (SELECT FROM message_flags
                    WHERE organization_id = ${organizationId} AND user_id = ${userId} AND flags & 2 <> 0)
        OR EXISTS (SELECT FROM channel) OR EXISTS (SELECT FROM span) OR EXISTS (SELECT FROM conversation) AS unread`.execute(
    db,
  );
  return rows[0]?.unread ?? false;
}

/**
 * Parts of a statement: the user's channels, past subscriptions and conversations with messages above their last read
 * ids, up to `head`. Each one reads the next entry of its index and compares the channel or conversation of that entry.
 * With `EXISTS`, PostgreSQL may scan the whole table if most messages belong to one channel.
 */
export function placesWithUnread(organizationId: number, userId: number, head: number | RawBuilder<unknown>) {
  return sql`
    channel AS MATERIALIZED (
      SELECT channel_id, read_through FROM subscriptions s
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND is_active AND read_through < ${head}
         AND ((SELECT m.channel_id FROM messages m
                WHERE m.organization_id = ${organizationId} AND m.channel_id IS NOT NULL
                  AND (m.channel_id, m.id) > (s.channel_id, s.read_through) AND m.home_channel_id IS NULL
                  AND m.channel_id <= s.channel_id -- the next may be one with nothing but what was moved there
                ORDER BY m.channel_id, m.id LIMIT 1) = s.channel_id
              OR (SELECT m.home_channel_id FROM messages m
                   WHERE m.organization_id = ${organizationId} AND m.home_channel_id IS NOT NULL
                     AND (m.home_channel_id, m.id) > (s.channel_id, s.read_through)
                   ORDER BY m.home_channel_id, m.id LIMIT 1) = s.channel_id)
    ), span AS MATERIALIZED (
      SELECT ctid, read_through FROM subscription_intervals i
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND read_through < until_message_id
         AND (SELECT m.home_channel_id = i.channel_id AND m.id <= i.until_message_id FROM messages m
               WHERE m.organization_id = ${organizationId} AND m.home_channel_id IS NOT NULL
                 AND (m.home_channel_id, m.id) > (i.channel_id, i.read_through)
               ORDER BY m.home_channel_id, m.id LIMIT 1)
    ), conversation AS MATERIALIZED (
      SELECT conversation_id, read_through FROM direct_participants p
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND read_through < ${head}
         AND (SELECT m.conversation_id FROM messages m
               WHERE m.organization_id = ${organizationId} AND m.conversation_id IS NOT NULL
                 AND (m.conversation_id, m.id) > (p.conversation_id, p.read_through)
               ORDER BY m.conversation_id, m.id LIMIT 1) = p.conversation_id
    )`;
}

/**
 * Moves the last read ids up to the newest message, wherever messages are above them. This includes those of ended
 * subscriptions, which decide about messages that were moved since. Returns the lowest id that was moved; null if none
 * was. Indexes: messages_by_channel, messages_by_conversation, messages_moved_by_home; one or two descents per channel
 * or conversation.
 */
async function raiseAll(
  db: DbTransaction,
  organizationId: number,
  userId: number,
  head: number,
): Promise<number | null> {
  const { rows } = await sql<{ lowest: number | null }>`
    WITH ${placesWithUnread(organizationId, userId, head)}, raised_channels AS (
      UPDATE subscriptions SET read_through = ${head}
       WHERE organization_id = ${organizationId} AND user_id = ${userId}
         AND channel_id = ANY (ARRAY(SELECT channel_id FROM channel))
    ), raised_spans AS (
      UPDATE subscription_intervals SET read_through = until_message_id
       WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(SELECT ctid FROM span))
    ), raised_conversations AS (
      UPDATE direct_participants SET read_through = ${head}
       WHERE organization_id = ${organizationId} AND user_id = ${userId}
         AND conversation_id = ANY (ARRAY(SELECT conversation_id FROM conversation))
    )
    SELECT least((SELECT min(read_through) FROM channel), (SELECT min(read_through) FROM span),
                 (SELECT min(read_through) FROM conversation)) AS lowest`.execute(db);
  return rows[0]?.lowest ?? null;
}

/**
 * Deletes the user's rows above `floor` that the new last read ids make superfluous, some thousands per commit. The
 * state of messages does not change. Index: the primary key of message_flags.
 */
async function dropReadRows(organization: Organization, caller: UserRecord, floor: number): Promise<void> {
  for (let after: number | null = floor; after !== null; ) {
    const from: number = after;
    after = await organization.transact(caller, 'optimistic', async ({ db }, user) => {
      await lockUsers(db, organization.id, [user.id]);
      return dropSome(db, organization.id, user.id, from);
    });
  }
}

/** Returns the last message of the batch; null at the end. */
async function dropSome(
  db: DbTransaction,
  organizationId: number,
  userId: number,
  after: number,
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    WITH looked AS MATERIALIZED (
      SELECT ctid, message_id, flags FROM message_flags
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND message_id > ${after}
       ORDER BY message_id LIMIT ${ROWS_PER_COMMIT}
    ), covered AS MATERIALIZED (
      SELECT looked.ctid, looked.flags
        FROM looked, LATERAL (
               SELECT id, channel_id, conversation_id FROM messages
                WHERE organization_id = ${organizationId} AND id = looked.message_id AND home_channel_id IS NULL
               OFFSET 0
             ) AS m
       WHERE looked.flags & ${FlagBit.read} <> 0
         AND m.id <= (SELECT read_through FROM ${membershipOf({ organizationId, userId })} AS member)
    ), kept AS (
      UPDATE message_flags SET flags = flags & ~${FlagBit.read}::smallint
       WHERE organization_id = ${organizationId}
         AND ctid = ANY (ARRAY(SELECT ctid FROM covered WHERE flags <> ${FlagBit.read}))
    ), dropped AS (
      DELETE FROM message_flags
       WHERE organization_id = ${organizationId}
         AND ctid = ANY (ARRAY(SELECT ctid FROM covered WHERE flags = ${FlagBit.read}))
    )
    SELECT CASE WHEN count(*) = ${ROWS_PER_COMMIT} THEN max(message_id) END AS last FROM looked`.execute(db);
  return rows[0]?.last ?? null;
}
