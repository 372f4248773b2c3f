/** What the decision who is notified needs from the database. It is not in memory, because sends do not need it. */
import { type RawBuilder, sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import type { StoredSettings } from '../../../directory/user-settings.ts';
import { Policy } from '../../topics/policies.ts';
import type { Settings } from '../../users/user-settings/first-settings.ts';
import { completeSettings } from '../../users/user-settings/queries.ts';
import { QUIET_HOURS, type Quiet, type QuietHours, quietNow } from '../quiet-hours/queries.ts';
import type { Medium, TopicPreferences } from './causes.ts';

/** A topic with new messages. */
export interface Place {
  readonly channelId: number;
  readonly topic: string;
  /** Whether one of the messages mentions everyone in the channel or topic. */
  readonly mentionsEveryone: boolean;
}

export function placeKey({ channelId, topic }: Pick<Place, 'channelId' | 'topic'>): string {
  return `${channelId} ${topic.toLowerCase()}`;
}

/** Applies to channels without a setting of their own. */
const SETTING_OF_CHANNELS = {
  push: 'enable_stream_push_notifications',
  email: 'enable_stream_email_notifications',
} as const satisfies Readonly<Record<Medium, keyof Settings>>;

/** Hashed, and not a join: a join of a set without an index takes the square of its rows where the planner expects few. */
const isCandidate = (userId: RawBuilder<unknown>) => sql`(${userId} IN (SELECT user_id FROM candidate)) IS TRUE`;

/**
 * The settings of these users for these topics, as far as they can cause a notification. It returns those who follow the topic, those who
 * want notifications of the whole channel, and all if everyone is mentioned. One statement. Indexes: the primary keys,
 * subscriptions_by_channel.
 */
export async function topicPreferencesOf(
  db: DbTransaction,
  organizationId: number,
  places: readonly Place[],
  candidates: ReadonlySet<number>,
  medium: Medium,
): Promise<ReadonlyMap<string, ReadonlyMap<number, TopicPreferences>>> {
  const found = new Map(places.map((place) => [placeKey(place), new Map<number, TopicPreferences>()]));
  if (places.length === 0 || candidates.size === 0) return found;
  const ofChannel = sql.ref(`s.${medium}_notifications`);
  const { rows } = await sql<{
    place: number;
    user_id: number;
    is_muted: boolean;
    notifies: boolean | null;
    wildcard: boolean | null;
    policy: number;
  }>`
    WITH place AS (
      SELECT * FROM unnest(${places.map(({ channelId }) => channelId)}::integer[],
                           ${places.map(({ topic }) => topic)}::text[],
                           ${places.map(({ mentionsEveryone }) => mentionsEveryone)}::boolean[])
               WITH ORDINALITY AS place (channel_id, topic, mentions_everyone, place)
    ), candidate AS MATERIALIZED (
      SELECT unnest(${[...candidates]}::integer[]) AS user_id
    ), notified AS MATERIALIZED (
      -- Once for each channel, however many topics.
      SELECT s.channel_id, s.user_id
        FROM subscriptions s
        JOIN users u ON u.organization_id = ${organizationId} AND u.id = s.user_id
       WHERE s.organization_id = ${organizationId} AND s.channel_id IN (SELECT channel_id FROM place) AND s.is_active
         AND ${isCandidate(sql.ref('s.user_id'))}
         AND coalesce(${ofChannel}, (u.own_settings->>${SETTING_OF_CHANNELS[medium]})::boolean, false)
    ), member AS (
      SELECT place.place, notified.user_id FROM place JOIN notified ON notified.channel_id = place.channel_id
      UNION
      SELECT place.place, own.user_id
        FROM place
        JOIN user_topics own ON own.organization_id = ${organizationId} AND own.channel_id = place.channel_id
         AND own.topic_key = lower(place.topic) AND own.policy = ${Policy.followed}
       WHERE ${isCandidate(sql.ref('own.user_id'))}
      UNION
      SELECT place.place, s.user_id
        FROM place
        JOIN subscriptions s ON s.organization_id = ${organizationId} AND s.channel_id = place.channel_id
       WHERE place.mentions_everyone AND ${isCandidate(sql.ref('s.user_id'))}
    )
    SELECT place.place::integer, s.user_id, s.is_muted, ${ofChannel} AS notifies,
           s.wildcard_mentions_notify AS wildcard, coalesce(own.policy, 0) AS policy
      FROM member
      JOIN place ON place.place = member.place
      JOIN subscriptions s ON s.organization_id = ${organizationId} AND s.user_id = member.user_id
       AND s.channel_id = place.channel_id AND s.is_active
      LEFT JOIN user_topics own ON own.organization_id = ${organizationId} AND own.channel_id = place.channel_id
       AND own.topic_key = lower(place.topic) AND own.user_id = s.user_id`.execute(db);
  for (const row of rows) {
    const place = places[row.place - 1];
    if (place === undefined) continue;
    found.get(placeKey(place))?.set(row.user_id, {
      isMuted: row.is_muted,
      notifies: row.notifies,
      wildcardMentionsNotify: row.wildcard,
      policy: row.policy,
    });
  }
  return found;
}

/** The settings of the given users. Index: the primary key. */
export async function settingsOf(
  db: DbTransaction,
  organizationId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Settings>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'own_settings'])
    .where('organization_id', '=', organizationId)
    .where((where) => where('id', '=', sql<number>`ANY (${userIds}::integer[])`))
    .where('is_active', '=', true)
    .execute();
  return new Map(rows.map(({ id, own_settings }) => [id, completeSettings(own_settings)]));
}

/** What a user wants, in general and now. */
export interface OwnPreferences {
  readonly settings: Settings;
  /** Undefined: no quiet hours now. */
  readonly quiet: Quiet | undefined;
}

/** The settings of the given users, and who of them has quiet hours now. One statement. Indexes: the primary keys. */
export async function ownPreferencesOf(
  db: DbTransaction,
  organizationId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, OwnPreferences>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; own_settings: StoredSettings; timezone: string; hours: QuietHours | null }>`
    SELECT u.id, u.own_settings, u.timezone, CASE WHEN q.user_id IS NOT NULL THEN ${QUIET_HOURS} END AS hours
      FROM users u
      LEFT JOIN quiet_hours q ON q.organization_id = u.organization_id AND q.user_id = u.id
     WHERE u.organization_id = ${organizationId} AND u.id = ANY (${userIds}::integer[]) AND u.is_active`.execute(db);
  return new Map(
    rows.map(({ id, own_settings, timezone, hours }) => [
      id,
      { settings: completeSettings(own_settings), quiet: quietNow(hours, timezone) },
    ]),
  );
}

/** Longer than a held poll, and than other processes take to record one; in seconds. */
const RECENT_POLL_SECONDS = 90;

/**
 * Those of these recently active users who have a client that shows them messages: one of their queues was polled recently. Index:
 * queues_by_user.
 */
export async function usersAtClients(
  db: DbTransaction,
  organizationId: number,
  activeUserIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (activeUserIds.length === 0) return new Set();
  const { rows } = await sql<{ user_id: number }>`
    SELECT DISTINCT user_id FROM queues
     WHERE organization_id = ${organizationId} AND user_id = ANY (${activeUserIds}::integer[])
       AND last_fetched_at > now() - make_interval(secs => ${RECENT_POLL_SECONDS})`.execute(db);
  return new Set(rows.map((row) => row.user_id));
}
