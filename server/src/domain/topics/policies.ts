import { badRequest } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { contentAccess } from '../../access/channels.ts';
import { subscribedOnArrival, wasReceived } from '../../access/unread-messages.ts';
import type { NumberInSql } from '../../db/parameters.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import { lockUsers } from '../../db/user-locks.ts';
import type { Directory } from '../../directory/directory.ts';
import type { NewEvent } from '../../log/event.ts';
import { type MutedTopic, mutedTopicsEvent, userTopicEvent } from './events.ts';

/**
 * How a user wants to see a topic; `none`: like its channel. The API defines the numbers (interface document, "States
 * and transitions").
 */
export const Policy = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type Policy = (typeof Policy)[keyof typeof Policy];

/** The most topics of one user with a policy. Each register returns all of them. */
const MAX_POLICIES_PER_USER = 20_000;
/** The most muted topics of one user. Each change sends all of them to older clients. */
const MAX_MUTED_TOPICS_PER_USER = 2000;

export interface TopicOfUser {
  readonly userId: number;
  readonly channelId: number;
  readonly topic: string;
}

/** The current state of a topic for a user. */
export interface TopicState {
  readonly policy: Policy;
  /** Whether the user is subscribed to the channel and muted it. */
  readonly inMutedChannel: boolean;
  /** Whether the topic has messages that the user can read. */
  readonly hasMessages: boolean;
}

/** A policy change. `applyPolicies` calls `decide` when it knows the current state. */
export interface PlannedPolicy extends TopicOfUser {
  /**
   * Returns the new policy; undefined for no change.
   * @throws ApiError to reject this change only
   */
  decide(state: TopicState): Policy | undefined;
}

/** The result of a policy change. */
export type AppliedPolicy =
  | {
      /** Undefined if nothing changed. */
      readonly policy: Policy | undefined;
      readonly events: readonly NewEvent[];
    }
  | { readonly error: unknown };

interface Entry {
  readonly userId: number;
  readonly channelId: number;
  topic: string;
  readonly before: Policy;
  policy: Policy;
}

interface Totals {
  topics: number;
  muted: number;
}

/**
 * Applies policy changes in order, in a constant number of statements. Rejects a change beyond the bounds of its user.
 * @returns a result for each change; a change with an error writes nothing
 */
export async function applyPolicies(
  db: DbTransaction,
  directory: Directory,
  plannedPolicies: readonly PlannedPolicy[],
): Promise<readonly AppliedPolicy[]> {
  const organizationId = directory.organization.id;
  const userIds = [...new Set(plannedPolicies.map(({ userId }) => userId))];
  // Sent together: on one connection, the queries run after the locks are acquired.
  const [, rows, totals] = await Promise.all([
    lockUsers(db, organizationId, userIds),
    findTopicStates(db, directory, plannedPolicies),
    countTopics(db, organizationId, userIds),
  ]);
  const now = Math.floor(Date.now() / 1000);
  const entries = new Map<string, Entry>();
  /** The last change of each user that altered the list of muted topics. */
  const muting = new Map<number, number>();
  const decided = plannedPolicies.map((plannedPolicy, place): AppliedPolicy => {
    const row = rows[place];
    if (row === undefined) throw new Error('a plannedPolicy without a state');
    const { userId, channelId, topic } = plannedPolicy;
    const key = `${userId}/${channelId}/${row.key}`;
    const entry = entries.get(key) ?? { userId, channelId, topic, before: row.policy, policy: row.policy };
    entries.set(key, entry);
    try {
      const policy = plannedPolicy.decide({ ...row, policy: entry.policy });
      if (policy === undefined || policy === entry.policy) return { policy: undefined, events: [] };
      count(totals.get(userId), entry.policy, policy);
      if (entry.policy === Policy.muted || policy === Policy.muted) muting.set(userId, place);
      Object.assign(entry, { topic, policy });
      return { policy, events: [userTopicEvent(userId, { channelId, topic, policy, updatedAt: now })] };
    } catch (error) {
      return { error };
    }
  });
  await write(db, organizationId, [...entries.values()], now);
  if (muting.size === 0) return decided;
  const muted = await mutedTopicsOf(db, organizationId, [...muting.keys()]);
  return decided.map((result, place) => {
    const userId = plannedPolicies[place]?.userId ?? 0;
    if ('error' in result || muting.get(userId) !== place) return result;
    return { ...result, events: [...result.events, mutedTopicsEvent(directory, userId, muted.get(userId) ?? [])] };
  });
}

/** @throws ApiError `BAD_REQUEST`: the user has too many */
function count(totals: Totals | undefined, before: Policy, after: Policy): void {
  if (totals === undefined) throw new Error('a plannedPolicy of a user whose topics were not counted');
  const topics = totals.topics + Number(after !== Policy.none) - Number(before !== Policy.none);
  const muted = totals.muted + Number(after === Policy.muted) - Number(before === Policy.muted);
  if (topics > Math.max(MAX_POLICIES_PER_USER, totals.topics)) {
    throw badRequest(`Too many topics with a visibility policy (limit: ${MAX_POLICIES_PER_USER})`);
  }
  if (muted > Math.max(MAX_MUTED_TOPICS_PER_USER, totals.muted))
    throw badRequest(`Too many muted topics (limit: ${MAX_MUTED_TOPICS_PER_USER})`);
  Object.assign(totals, { topics, muted });
}

interface TopicStateRow extends TopicState {
  /** The topic in lower case, equal for all spellings. */
  readonly key: string;
}

/**
 * Reads the current state of topics for users, in the given order. One index step per lookup, except with protected
 * history. Indexes: the primary keys of user_topics and subscriptions, messages_by_topic.
 */
export async function findTopicStates(
  db: Db | DbTransaction,
  directory: Directory,
  asked: readonly TopicOfUser[],
): Promise<readonly TopicStateRow[]> {
  const organizationId = directory.organization.id;
  const whose = { organizationId, userId: sql.ref('asked.user_id') };
  return executePrepared(
    db,
    'states to topics',
    sql<TopicStateRow>`
    SELECT lower(asked.topic) AS key, coalesce(own.policy, 0) AS policy,
           coalesce(membership.is_muted, false) AS "inMutedChannel",
           EXISTS (
             SELECT FROM messages m
              WHERE m.organization_id = ${organizationId} AND m.channel_id = asked.channel_id
                AND lower(m.topic) = lower(asked.topic)
                AND (NOT asked.is_protected OR ${wasReceived(whose)} OR ${subscribedOnArrival(whose)})
           ) AS "hasMessages"
      FROM unnest(${asked.map(({ userId }) => userId)}::integer[], ${asked.map(({ channelId }) => channelId)}::integer[],
                  ${asked.map(({ topic }) => topic)}::text[], ${asked.map((one) => readsOnlyReceived(directory, one))}::boolean[])
             WITH ORDINALITY AS asked (user_id, channel_id, topic, is_protected, place)
      ${joinSettings(organizationId)}
     ORDER BY asked.place`,
  );
}

/**
 * Joins the policy of each `asked` user and topic as `own`, and the subscription as `membership`. Indexes: the primary
 * keys.
 */
export function joinSettings(organizationId: number): RawBuilder<unknown> {
  return sql`
      LEFT JOIN LATERAL (
             SELECT policy FROM user_topics
              WHERE organization_id = ${organizationId} AND channel_id = asked.channel_id
                AND topic_key = lower(asked.topic) AND user_id = asked.user_id
             OFFSET 0
           ) AS own ON true
      LEFT JOIN LATERAL (
             SELECT is_muted FROM subscriptions
              WHERE organization_id = ${organizationId} AND user_id = asked.user_id AND channel_id = asked.channel_id
                AND is_active
             OFFSET 0
           ) AS membership ON true`;
}

function readsOnlyReceived(directory: Directory, { userId, channelId }: TopicOfUser): boolean {
  const user = directory.user(userId);
  const channel = directory.channel(channelId);
  return user !== undefined && channel !== undefined && contentAccess(directory, user, channel) !== 'all';
}

/** Index: user_topics_by_user. */
async function countTopics(
  db: DbTransaction,
  organizationId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Totals>> {
  const rows = await executePrepared(
    db,
    'count topics of users',
    sql<Totals & { userId: number }>`
    SELECT asked.user_id AS "userId", own.*
      FROM unnest(${userIds}::integer[]) AS asked (user_id), LATERAL (
             SELECT count(*)::integer AS topics, (count(*) FILTER (WHERE policy = ${Policy.muted}))::integer AS muted
               FROM user_topics
              WHERE organization_id = ${organizationId} AND user_id = asked.user_id
           ) AS own`,
  );
  return new Map(rows.map(({ userId, topics, muted }) => [userId, { topics, muted }]));
}

/** Inserts in the order of the primary key, so that two transactions cannot deadlock. */
async function write(db: DbTransaction, organizationId: number, entries: readonly Entry[], now: number): Promise<void> {
  const changed = entries.filter(({ before, policy }) => before !== policy);
  const kept = changed.filter(({ policy }) => policy !== Policy.none);
  if (kept.length > 0) {
    await executePrepared(
      db,
      'write topic policies',
      sql`
      INSERT INTO user_topics (organization_id, channel_id, topic, user_id, policy, updated_at)
      SELECT ${organizationId}::integer, kept.channel_id, kept.topic, kept.user_id, kept.policy, to_timestamp(${now}::bigint)
        FROM ${listed(kept)} AS kept (user_id, channel_id, topic, policy)
       ORDER BY kept.channel_id, lower(kept.topic), kept.user_id
          ON CONFLICT (organization_id, channel_id, topic_key, user_id)
          DO UPDATE SET topic = excluded.topic, policy = excluded.policy, updated_at = excluded.updated_at`,
    );
  }
  const dropped = changed.filter(({ policy }) => policy === Policy.none);
  if (dropped.length === 0) return;
  await executePrepared(
    db,
    'drop topic policies',
    sql`
    DELETE FROM user_topics
     USING ${listed(dropped)} AS dropped (user_id, channel_id, topic, policy)
     WHERE user_topics.organization_id = ${organizationId} AND user_topics.channel_id = dropped.channel_id
       AND user_topics.topic_key = lower(dropped.topic) AND user_topics.user_id = dropped.user_id`,
  );
}

function listed(entries: readonly Entry[]): RawBuilder<unknown> {
  return sql`unnest(${entries.map(({ userId }) => userId)}::integer[], ${entries.map(({ channelId }) => channelId)}::integer[],
                    ${entries.map(({ topic }) => topic)}::text[], ${entries.map(({ policy }) => policy)}::smallint[])`;
}

/** Index: user_topics_by_user. */
export async function mutedTopicsOf(
  db: DbTransaction,
  organizationId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly MutedTopic[]>> {
  const { rows } = await sql<{ userId: number; topics: MutedTopic[] }>`
    SELECT asked.user_id AS "userId", (${selectMutedTopics(organizationId, sql`asked.user_id`)}) AS topics
      FROM unnest(${userIds}::integer[]) AS asked (user_id)`.execute(db);
  return new Map(rows.map(({ userId, topics }) => [userId, topics]));
}

/** Index: user_topics_by_user. */
export function selectMutedTopics(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<MutedTopic[]> {
  return sql`
    SELECT coalesce(json_agg(json_build_array(channel_id, topic, extract(epoch FROM updated_at)::bigint)
                             ORDER BY channel_id, topic_key), '[]')
      FROM user_topics
     WHERE organization_id = ${organizationId} AND user_id = ${userId} AND policy = 1`;
}
