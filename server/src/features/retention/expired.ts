/** Finds messages that are older than their organization or channel keeps them. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, DbTransaction } from '../../db/schema.ts';

/** Messages per commit. Other changes of the organization wait for it some tens of milliseconds. */
const BATCH_SIZE_MESSAGES = 500;
/** Messages that one search for direct messages examines; it takes a few milliseconds. */
const MAX_EXAMINED_MESSAGES = 5000;
/** The hours before a new policy deletes anything, so that a mistake can be undone. */
const FIRST_HOURS = 24;
/** An upper bound of days: an earlier date would be before all calendars. */
const MAX_DAYS = 1_000_000;

/** The time before which a message must have been sent to be expired. */
const sentBefore = (days: RawBuilder<unknown>, at: Date) =>
  sql`${at}::timestamptz - make_interval(days => least(${days}, ${MAX_DAYS}))`;

const days = sql`(settings->>'message_retention_days')::integer`;

/** Whether the policy has existed for long enough. */
const stands = (changedAt: RawBuilder<unknown>, at: Date) =>
  sql`${changedAt} <= ${at}::timestamptz - make_interval(hours => ${FIRST_HOURS})`;

/** The organizations that delete messages by age. Indexes: organizations_with_retention, channels_with_retention. */
export async function organizationsWithPolicies(db: Db): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM organizations WHERE ${days} > 0
     UNION
    SELECT organization_id FROM channels WHERE message_retention_days > 0
     ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The channels that may have expired messages: `channel_id`, and the time before which a message must have been `sent`. */
const policies = (organizationId: number, at: Date) => sql`
  SELECT channel.id AS channel_id, channel.first_message_id,
         ${sentBefore(sql`coalesce(channel.message_retention_days, organization.days)`, at)} AS sent
    FROM channels channel
   CROSS JOIN (SELECT coalesce(${days}, -1) AS days, retention_changed_at
                 FROM organizations WHERE id = ${organizationId}) AS organization
   WHERE channel.organization_id = ${organizationId} AND channel.first_message_id IS NOT NULL
     AND coalesce(channel.message_retention_days, organization.days) > 0
     AND ${stands(sql`channel.retention_changed_at`, at)}
     AND (channel.message_retention_days IS NOT NULL OR ${stands(sql`organization.retention_changed_at`, at)})`;

/**
 * At most {@link BATCH_SIZE_MESSAGES} expired messages of channels, the oldest of each channel first. Message ids rise with the time, so only the oldest
 * of each channel are examined. Indexes: messages' primary key, one step for each channel with a policy; messages_by_channel, its
 * beginning, for channels whose first message is expired.
 */
export async function expiredInChannels(db: Db, organizationId: number, at: Date): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT past.id
      FROM (${policies(organizationId, at)} OFFSET 0) AS policy
     CROSS JOIN LATERAL (
       SELECT sent_at FROM messages
        WHERE organization_id = ${organizationId} AND id = policy.first_message_id
       OFFSET 0) AS first
     CROSS JOIN LATERAL (
       SELECT id FROM (
         SELECT id, sent_at FROM messages
          WHERE organization_id = ${organizationId} AND channel_id = policy.channel_id
          ORDER BY id LIMIT ${BATCH_SIZE_MESSAGES}) AS oldest
        WHERE oldest.sent_at < policy.sent) AS past
     WHERE first.sent_at < policy.sent
     LIMIT ${BATCH_SIZE_MESSAGES}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those of the messages that are expired in their current channel; locked, ascending. Index: the primary key. */
export async function lockExpired(
  db: DbTransaction,
  organizationId: number,
  messageIds: readonly number[],
  at: Date,
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT message.id
      FROM messages message
      JOIN (${policies(organizationId, at)}) AS policy ON policy.channel_id = message.channel_id
     WHERE message.organization_id = ${organizationId} AND message.id = ANY (${messageIds}::bigint[])
       AND message.sent_at < policy.sent
     ORDER BY message.id FOR UPDATE OF message`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those of the direct messages that still exist; locked, ascending. Index: the primary key. */
export async function lockDirect(
  db: DbTransaction,
  organizationId: number,
  messageIds: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM messages
     WHERE organization_id = ${organizationId} AND id = ANY (${messageIds}::bigint[])
     ORDER BY id FOR UPDATE`.execute(db);
  return rows.map(({ id }) => id);
}

/** Expired direct messages. */
export interface ExpiredDirect {
  /** Ascending; at most {@link BATCH_SIZE_MESSAGES}. */
  readonly messageIds: readonly number[];
  /** Up to this id none is left after the deletion, if that was so for the previous position. */
  readonly through: number;
  readonly before: number;
}

/** The oldest of them, from the previous position on: new messages have higher ids. Index: messages' primary key, a bounded range. */
export async function expiredDirect(db: Db, organizationId: number, at: Date): Promise<ExpiredDirect | undefined> {
  const { rows } = await sql<{ messageIds: number[]; through: number; before: number }>`
    WITH policy AS MATERIALIZED (
      SELECT direct_expired_through AS before, ${sentBefore(days, at)} AS sent
        FROM organizations
       WHERE id = ${organizationId} AND ${days} > 0 AND ${stands(sql`retention_changed_at`, at)}
    ), seen AS MATERIALIZED (
      SELECT message.id, message.conversation_id IS NOT NULL AS direct, message.sent_at < policy.sent AS past
        FROM policy
       CROSS JOIN LATERAL (
         SELECT id, conversation_id, sent_at FROM messages
          WHERE organization_id = ${organizationId} AND id > policy.before
          ORDER BY id LIMIT ${MAX_EXAMINED_MESSAGES}) AS message
    ), past AS MATERIALIZED (
      SELECT id FROM seen WHERE direct AND past ORDER BY id LIMIT ${BATCH_SIZE_MESSAGES}
    )
    SELECT ARRAY(SELECT id::float8 FROM past ORDER BY id) AS "messageIds", before,
           coalesce(least((SELECT min(id) - 1 FROM seen WHERE direct AND NOT past),
                          (SELECT max(id) FROM past HAVING count(*) = ${BATCH_SIZE_MESSAGES}),
                          (SELECT max(id) FROM seen)), before) AS through
      FROM policy`.execute(db);
  return rows[0];
}

/** Stores the position up to which no expired direct message is left. */
export async function noteDirect(db: Db, organizationId: number, through: number): Promise<void> {
  await sql`
    UPDATE organizations SET direct_expired_through = ${through}
     WHERE id = ${organizationId} AND direct_expired_through < ${through}`.execute(db);
}
