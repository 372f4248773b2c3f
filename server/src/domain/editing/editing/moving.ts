import { tooOldToMove } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { contentAccess } from '../../../access/channels.ts';
import type { SeenMessage } from '../../../access/message-door.ts';
import { moveLimits } from '../../../access/message-moves.ts';
import { subscribedOnArrival, wasReceived } from '../../../access/unread-messages.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { OptimisticChange } from '../../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../../directory/records.ts';
import type { PlannedMove } from './request.ts';

/**
 * Messages per commit. Other requests wait some hundred milliseconds at most for its rows and for the organization
 * lock. With the lock held from the beginning, sends wait as well, so the batch is smaller.
 */
const MAX_MOVED_PER_COMMIT = { atOnce: 5000, withLog: 500 } as const;
/**
 * The same for moves to another topic, where the words of each message are indexed again: up to a millisecond for a
 * long message.
 */
const MAX_MOVED_TO_TOPIC_PER_COMMIT = { atOnce: 1000, withLog: 200 } as const;

/** The messages of one commit, and facts about both threads. */
export interface ChosenMessages {
  /**
   * Ascending, and locked in the old thread. The named message moves with the last batch, so it is missing if more
   * messages are left. Empty if other requests took away all that the statement found; then more messages may be left.
   */
  readonly ids: readonly number[];
  readonly isLast: boolean;
  /** Whether other messages that the mover can see stay in the old thread. */
  readonly leavesSome: boolean;
  /** Whether the new thread had messages that the mover can see. */
  readonly findsSome: boolean;
  /** Whether the new thread had any messages. */
  readonly threadExists: boolean;
  /** Whether the named message is the first one in the new thread that its sender can see. */
  readonly isFirst: boolean;
}

/**
 * Selects the messages to move, from the newest on, among those that the mover can see, and locks them. The named
 * message must be locked already. Index: messages_by_topic.
 * @throws ApiError if some are too old (`MOVE_MESSAGES_TIME_LIMIT_EXCEEDED`), or the mover is not allowed to start a
 * topic there
 */
export async function chooseMessages(
  { db, directory, holdsLog }: OptimisticChange,
  user: UserRecord,
  message: SeenMessage,
  move: PlannedMove,
): Promise<ChosenMessages> {
  const organizationId = directory.organization.id;
  const { from, fromTopic, to, newTopic, propagation } = move;
  const most = (newTopic === null ? MAX_MOVED_PER_COMMIT : MAX_MOVED_TO_TOPIC_PER_COMMIT)[
    holdsLog ? 'withLog' : 'atOnce'
  ];
  const inOld = inThread(organizationId, from, fromTopic);
  const inNew = inThread(organizationId, to, newTopic ?? fromTopic);
  const seenInOld = visibleTo(directory, user, from);
  const checkAll = () => checkAges(db, directory, user, message, move, sql`${inOld} AND ${seenInOld}`);
  const sentSince = await checkAll();
  // A topic that differs only in case is the same thread.
  const isSame = from === to && newTopic?.toLowerCase() === fromTopic.toLowerCase();
  const others =
    propagation === 'change_one'
      ? NONE
      : await lockNewest(
          db,
          organizationId,
          sql`${inOld} AND ${seenInOld} AND m.id <> ${message.id}
              AND ${propagation === 'change_later' ? sql`m.id > ${message.id}` : sql`true`}
              AND ${from === to ? sql`m.topic <> ${newTopic}` : sql`true`}`,
          most,
        );
  // Another request can move older messages to the topic after the first check and before the lock.
  if (sentSince !== null && (others.oldest ?? sentSince) < sentSince) await checkAll();
  const isLast = others.found < most;
  const ids = isLast ? [...others.ids, message.id] : [...others.ids];
  ids.sort((a, b) => a - b);
  const staying = sql`m.id <> ALL (${ids}::bigint[])`;
  const sender = directory.user(message.senderId) ?? user;
  const { rows } = await sql<{ leaves_some: boolean; finds_some: boolean; thread_exists: boolean; is_first: boolean }>`
    SELECT ${propagation !== 'change_all'}::boolean
             AND EXISTS (SELECT FROM messages m WHERE ${inOld} AND ${seenInOld} AND ${staying}) AS leaves_some,
           ${!isSame}::boolean
             AND EXISTS (SELECT FROM messages m WHERE ${inNew} AND ${visibleTo(directory, user, to)} AND ${staying}) AS finds_some,
           EXISTS (SELECT FROM messages m WHERE ${inNew}) AS thread_exists,
           NOT EXISTS (SELECT FROM messages m WHERE ${inNew} AND ${visibleTo(directory, sender, to)} AND ${staying}
                          AND m.id < ${message.id}) AS is_first`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a question without FROM has one answer');
  return {
    ids,
    isLast,
    leavesSome: row.leaves_some,
    findsSome: row.finds_some,
    threadExists: row.thread_exists,
    isFirst: row.is_first,
  };
}

interface LockedMessages {
  readonly ids: readonly number[];
  /** How many the statement found, including those that other requests then moved or deleted. */
  readonly found: number;
  /** When the oldest locked message was sent, in seconds since the epoch; null if there is none. */
  readonly oldest: number | null;
}

const NONE: LockedMessages = { ids: [], found: 0, oldest: null };

/**
 * Locks the newest messages for which `chosen` holds, in the order of ids. The statement waits for other requests that move or delete some
 * of them. PostgreSQL then evaluates the outer condition again, and drops messages for which `chosen` no longer holds.
 */
async function lockNewest(
  db: DbTransaction,
  organizationId: number,
  chosen: RawBuilder<unknown>,
  most: number,
): Promise<LockedMessages> {
  const { rows } = await sql<{ ids: number[]; found: number; oldest: number | null }>`
    WITH newest AS MATERIALIZED (
      SELECT m.id FROM messages m WHERE ${chosen} ORDER BY lower(m.topic) DESC, m.id DESC LIMIT ${most}
    ), locked AS MATERIALIZED (
      SELECT m.id, m.sent_at FROM messages m
       WHERE m.organization_id = ${organizationId} AND m.id = ANY (ARRAY(SELECT id FROM newest)) AND ${chosen}
       ORDER BY m.id FOR NO KEY UPDATE
    )
    SELECT ARRAY(SELECT id::float8 FROM locked ORDER BY id) AS ids, (SELECT count(*) FROM newest) AS found,
           (SELECT extract(epoch FROM min(sent_at))::bigint FROM locked) AS oldest`.execute(db);
  return rows[0] ?? NONE;
}

/**
 * Checks the time limit for the named message, and with `change_all` for the whole topic as far as the mover can see it
 * (interface document, "States and transitions", "Errors").
 * @returns the earliest allowed time of all messages of the topic, in seconds since the epoch; null if there is no
 * limit
 * @throws ApiError `MOVE_MESSAGES_TIME_LIMIT_EXCEEDED`
 */
async function checkAges(
  db: DbTransaction,
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  move: PlannedMove,
  seen: RawBuilder<unknown>,
): Promise<number | null> {
  const now = Date.now() / 1000;
  const { seconds, passed } = moveLimits(directory, user, message, move, now);
  if (seconds === null || (passed === undefined && move.propagation !== 'change_all')) return null;
  const since = Math.floor(now) - seconds;
  const isYoung = sql`extract(epoch FROM m.sent_at)::bigint >= ${since}::bigint`;
  const { rows } = await sql<{ total: number; allowed: number; first: number | null }>`
    SELECT count(*) AS total, count(*) FILTER (WHERE ${isYoung}) AS allowed, min(m.id) FILTER (WHERE ${isYoung}) AS first
      FROM messages m
     WHERE ${seen}`.execute(db);
  const [row] = rows;
  if (row === undefined || (passed === undefined && row.total === row.allowed)) return since;
  throw tooOldToMove({ first: row.first, allowed: row.allowed, total: row.total }, passed);
}

function inThread(organizationId: number, channel: ChannelRecord, topic: string): RawBuilder<boolean> {
  return sql`m.organization_id = ${organizationId} AND m.channel_id = ${channel.id} AND lower(m.topic) = lower(${topic})`;
}

/** The messages of a channel that the user can see, as a condition on `m`. */
function visibleTo(directory: Directory, user: UserRecord, channel: ChannelRecord): RawBuilder<boolean> {
  if (contentAccess(directory, user, channel) === 'all') return sql`true`;
  const whose = { organizationId: directory.organization.id, userId: user.id };
  return sql`(${wasReceived(whose)} OR ${subscribedOnArrival(whose)})`;
}
