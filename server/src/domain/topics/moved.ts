/** Policies of users after messages move to another topic (public reference: "Move a topic", user-topic records). */
import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import { lockUsers } from '../../db/user-locks.ts';
import type { Directory } from '../../directory/directory.ts';
import type { NewEvent } from '../../log/event.ts';
import { topicSettingsOf, When } from '../users/user-settings/queries.ts';
import { mutedTopicsEvent, userTopicsEvent } from './events.ts';
import { applyPolicies, mutedTopicsOf, Policy } from './policies.ts';

export interface Thread {
  readonly channelId: number;
  readonly topic: string;
}

export interface MovedTopic {
  readonly from: Thread;
  readonly to: Thread;
  /** Whether the target had messages before. */
  readonly joinsOthers: boolean;
  /** Whether the user lost access to the messages. */
  readonly hasLost: (userId: number) => boolean;
}

interface Row {
  user_id: number;
  old: Policy;
  new: Policy;
}

/**
 * Moves the users' policies along with a topic. If it joins another topic, the more visible policy stays. Users who
 * lost access keep no policy from the old topic. The numbers of statements and events are constant, except events for
 * older clients. Index: the primary key.
 */
export async function carryPolicies(
  db: DbTransaction,
  directory: Directory,
  { from, to, joinsOthers, hasLost }: MovedTopic,
): Promise<readonly NewEvent[]> {
  const organizationId = directory.organization.id;
  // Only the spelling changed, so it is the same topic.
  if (from.channelId === to.channelId && from.topic.toLowerCase() === to.topic.toLowerCase()) return [];
  const rows = await lockedTopicStatesOf(db, organizationId, from, to);
  if (rows.length === 0) return [];
  const changes = rows.map((row) => {
    const lost = hasLost(row.user_id);
    const policy = joinsOthers ? moreVisible(row.old, row.new) : row.old;
    return { ...row, after: lost ? row.new : policy };
  });
  const now = Math.floor(Date.now() / 1000);
  await drop(db, organizationId, from, usersOf(changes.filter((one) => one.old !== Policy.none)));
  const set = changes.filter((one) => one.after !== one.new);
  await drop(db, organizationId, to, usersOf(set.filter((one) => one.after === Policy.none)));
  const kept = set.filter((one) => one.after !== Policy.none);
  await put(db, organizationId, to, kept, now);
  const eventsOf = (thread: Thread, policy: Policy, users: readonly number[]) =>
    users.length === 0 ? [] : [userTopicsEvent(users, { ...thread, policy, updatedAt: now })];
  const muting = usersOf(
    changes.filter((one) => one.old === Policy.muted || (one.after === Policy.muted) !== (one.new === Policy.muted)),
  );
  const muted = muting.length === 0 ? new Map() : await mutedTopicsOf(db, organizationId, muting);
  return [
    ...eventsOf(from, Policy.none, usersOf(changes.filter((one) => one.old !== Policy.none))),
    ...Object.values(Policy).flatMap((policy) =>
      eventsOf(to, policy, usersOf(set.filter((one) => one.after === policy))),
    ),
    ...muting.map((userId) => mutedTopicsEvent(directory, userId, muted.get(userId) ?? [])),
  ];
}

const usersOf = (rows: readonly Pick<Row, 'user_id'>[]) => rows.map((row) => row.user_id);

/** Chooses to show messages rather than hide them. */
function moreVisible(one: Policy, other: Policy): Policy {
  const order = [Policy.followed, Policy.unmuted, Policy.none];
  return order.find((policy) => policy === one || policy === other) ?? Policy.muted;
}

/** Locks the users whose policies it returns. A user can set the first policy while it waits for the locks of others. */
async function lockedTopicStatesOf(
  db: DbTransaction,
  organizationId: number,
  from: Thread,
  to: Thread,
): Promise<readonly Row[]> {
  const locked = new Set<number>();
  for (;;) {
    const rows = await topicStatesOf(db, organizationId, from, to);
    const others = usersOf(rows).filter((userId) => !locked.has(userId));
    if (others.length === 0) return rows;
    await lockUsers(db, organizationId, others);
    for (const userId of others) locked.add(userId);
  }
}

async function topicStatesOf(
  db: DbTransaction,
  organizationId: number,
  from: Thread,
  to: Thread,
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    SELECT user_id, coalesce(max(policy) FILTER (WHERE channel_id = ${from.channelId} AND topic_key = lower(${from.topic})), 0) AS old,
           coalesce(max(policy) FILTER (WHERE channel_id = ${to.channelId} AND topic_key = lower(${to.topic})), 0) AS new
      FROM user_topics
     WHERE organization_id = ${organizationId}
       AND (channel_id, topic_key) IN ((${from.channelId}::integer, lower(${from.topic})), (${to.channelId}::integer, lower(${to.topic})))
     GROUP BY user_id
     ORDER BY user_id`.execute(db);
  return rows;
}

async function drop(
  db: DbTransaction,
  organizationId: number,
  { channelId, topic }: Thread,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await sql`
    DELETE FROM user_topics
     WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND topic_key = lower(${topic})
       AND user_id = ANY (${userIds}::integer[])`.execute(db);
}

async function put(
  db: DbTransaction,
  organizationId: number,
  { channelId, topic }: Thread,
  rows: readonly { readonly user_id: number; readonly after: Policy }[],
  now: number,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO user_topics (organization_id, channel_id, topic, user_id, policy, updated_at)
    SELECT ${organizationId}::integer, ${channelId}::integer, ${topic}::text, user_id, policy, to_timestamp(${now}::bigint)
      FROM unnest(${usersOf(rows)}::integer[], ${rows.map(({ after }) => after)}::smallint[]) AS kept (user_id, policy)
     ORDER BY user_id
        ON CONFLICT (organization_id, channel_id, topic_key, user_id)
        DO UPDATE SET topic = excluded.topic, policy = excluded.policy, updated_at = excluded.updated_at`.execute(db);
}

/** Applies the setting for starting a topic after a single message moved and became the first of its topic. */
export async function beginByMoving(
  db: DbTransaction,
  directory: Directory,
  senderId: number,
  { channelId, topic }: Thread,
): Promise<readonly NewEvent[]> {
  const sender = directory.user(senderId);
  if (sender === undefined || sender.isBot || !sender.isActive) return [];
  const { follow, unmute } = topicSettingsOf(sender);
  const plannedPolicy = {
    userId: senderId,
    channelId,
    topic,
    decide({ inMutedChannel }: { readonly inMutedChannel: boolean }) {
      if (follow === When.beginning) return Policy.followed;
      return inMutedChannel && unmute === When.beginning ? Policy.unmuted : undefined;
    },
  };
  const [result] = await applyPolicies(db, directory, [plannedPolicy]);
  return result === undefined || 'error' in result ? [] : result.events;
}

/** Index: the primary key. */
export async function followersOf(
  db: DbTransaction,
  organizationId: number,
  { channelId, topic }: Thread,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ user_id: number }>`
    SELECT user_id FROM user_topics
     WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND topic_key = lower(${topic})
       AND policy = ${Policy.followed}`.execute(db);
  return new Set(usersOf(rows));
}
