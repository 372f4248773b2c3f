import { tooOldToMove } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { contentAccess } from '../../access/channels.ts';
import type { SeenMessage } from '../../access/message-door.ts';
import { moveLimits } from '../../access/message-moves.ts';
import { sawArrive, wasReceived } from '../../access/unread-messages.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';
import type { PlannedMove } from './request.ts';

/**
 * So many messages move in one commit: others wait for its rows, and for the log, no longer than some hundred milliseconds. Where the log
 * is held meanwhile, others' messages wait as well.
 */
const MOST = { atOnce: 5000, withLog: 500 } as const;
/** To another topic, where all words of each are indexed anew: up to a millisecond for a long message. */
const MOST_TO_TOPIC = { atOnce: 1000, withLog: 200 } as const;

/** The messages of one commit, and what else must be known of both threads. */
export interface ChosenMessages {
  /** Ascending. The named message is among them unless there are more than one commit takes: then it comes last. */
  readonly ids: readonly number[];
  readonly isLast: boolean;
  /** Whether the mover sees other messages that stay in the old thread. */
  readonly leavesSome: boolean;
  /** Whether the new thread had messages that the mover sees. */
  readonly findsSome: boolean;
  /** Whether it had any. */
  readonly threadExists: boolean;
  /** Whether the named message is the first there, as its sender sees it. */
  readonly isFirst: boolean;
}

/**
 * Which messages to move: of those that the mover sees, the newest first. Index: messages_by_topic.
 * @throws ApiError where some are too old (`MOVE_MESSAGES_TIME_LIMIT_EXCEEDED`), or the move would begin a topic where the mover may not
 */
export async function chooseMessages(
  { db, directory, holdsLog }: OrdinaryChange,
  user: UserRecord,
  message: SeenMessage,
  move: PlannedMove,
): Promise<ChosenMessages> {
  const organizationId = directory.organization.id;
  const { from, fromTopic, to, newTopic, propagation } = move;
  const most = (newTopic === null ? MOST : MOST_TO_TOPIC)[holdsLog ? 'withLog' : 'atOnce'];
  const inOld = inThread(organizationId, from, fromTopic);
  const inNew = inThread(organizationId, to, newTopic ?? fromTopic);
  const seenInOld = visibleTo(directory, user, from);
  await checkAges(db, directory, user, message, move, sql`${inOld} AND ${seenInOld}`);
  // Spelled otherwise it is the same thread.
  const isSame = from === to && newTopic?.toLowerCase() === fromTopic.toLowerCase();
  const others =
    propagation === 'change_one'
      ? []
      : await newestFirst(
          db,
          sql`${inOld} AND ${seenInOld} AND m.id <> ${message.id}
              AND ${propagation === 'change_later' ? sql`m.id > ${message.id}` : sql`true`}
              AND ${from === to ? sql`m.topic <> ${newTopic}` : sql`true`}`,
          most,
        );
  const isLast = others.length < most;
  const ids = isLast ? [...others, message.id] : others.slice(0, most);
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

async function newestFirst(db: DbTransaction, chosen: RawBuilder<unknown>, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT m.id FROM messages m WHERE ${chosen} ORDER BY lower(m.topic) DESC, m.id DESC LIMIT ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Whether time still lets the mover move the message, and with `change_all` the whole topic, as far as they see it (interface document,
 * "States and transitions", "Errors").
 * @throws ApiError `MOVE_MESSAGES_TIME_LIMIT_EXCEEDED`
 */
async function checkAges(
  db: DbTransaction,
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  move: PlannedMove,
  seen: RawBuilder<unknown>,
): Promise<void> {
  const now = Date.now() / 1000;
  const { seconds, passed } = moveLimits(directory, user, message, move, now);
  if (seconds === null || (passed === undefined && move.propagation !== 'change_all')) return;
  const isYoung = sql`extract(epoch FROM m.sent_at)::bigint >= ${Math.floor(now) - seconds}::bigint`;
  const { rows } = await sql<{ total: number; allowed: number; first: number | null }>`
    SELECT count(*) AS total, count(*) FILTER (WHERE ${isYoung}) AS allowed, min(m.id) FILTER (WHERE ${isYoung}) AS first
      FROM messages m
     WHERE ${seen}`.execute(db);
  const [row] = rows;
  if (row === undefined || (passed === undefined && row.total === row.allowed)) return;
  throw tooOldToMove({ first: row.first, allowed: row.allowed, total: row.total }, passed);
}

function inThread(organizationId: number, channel: ChannelRecord, topic: string): RawBuilder<boolean> {
  return sql`m.organization_id = ${organizationId} AND m.channel_id = ${channel.id} AND lower(m.topic) = lower(${topic})`;
}

/** Which of a channel's messages the user sees. */
function visibleTo(directory: Directory, user: UserRecord, channel: ChannelRecord): RawBuilder<boolean> {
  if (contentAccess(directory, user, channel) === 'all') return sql`true`;
  const whose = { organizationId: directory.organization.id, userId: user.id };
  return sql`(${wasReceived(whose)} OR ${sawArrive(whose)})`;
}
