import { badRequest } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { accessMessages } from '../../access/message-door.ts';
import { mayRead, readerOf } from '../../access/readable-messages.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Reading } from '../../directory/organization.ts';
import { type Conversations, conversationsOf } from '../conversations/actions.ts';
import { type FetchedMessage, fetchMessages } from '../messages/queries.ts';
import { oncePerRooms, type Rooms } from '../rooms.ts';
import { type Condition, checkMessageCount, readNarrow, type Term, type WireTerm } from './narrow.ts';
import { type ConversationIds, checkAll } from './narrow-checks.ts';
import { selectIds } from './selection.ts';

export type Anchor = number | 'newest' | 'oldest' | 'first_unread';

export interface HistoryRequest {
  readonly anchor: Anchor;
  readonly before: number;
  readonly after: number;
  readonly includeAnchor: boolean;
  readonly narrow: readonly WireTerm[];
}

export interface History {
  readonly anchor: number;
  readonly foundNewest: boolean;
  readonly foundOldest: boolean;
  readonly foundAnchor: boolean;
  readonly messages: readonly FetchedMessage[];
}

/** What clients know as the anchor beyond every message. */
const BEYOND_NEWEST = 10_000_000_000_000_000;

/** Reads of messages; what a user may not read does not exist for them. */
export class MessageQueries {
  readonly #conversations: Conversations;

  constructor(conversations: Conversations) {
    this.#conversations = conversations;
  }

  /**
   * @throws ApiError where there is no such message, or not for this user
   */
  async one({ db, directory, caller: user }: Reading, messageId: number): Promise<FetchedMessage> {
    await accessMessages(db, directory, user, [messageId], 'read', 'look');
    const [message] = await fetchMessages(db, directory, readerOf(directory, user), [messageId]);
    // It may have been deleted between the two.
    if (message === undefined) throw badRequest('Invalid message(s)');
    return message;
  }

  /**
   * Those of the messages that exist, that the user may read, and that are in the narrow.
   * @throws ApiError for a bad narrow or too many ids
   */
  async byIds(
    reading: Reading,
    ids: readonly number[],
    narrow: readonly WireTerm[] = [],
  ): Promise<readonly FetchedMessage[]> {
    const { db, directory, caller: user } = reading;
    checkMessageCount(ids.length);
    const reader = readerOf(directory, user);
    const terms = readNarrow(directory, user, narrow);
    const conversations = await this.#conversationIds(db, reader.organizationId, terms);
    const chosen = sql`
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.id = ANY (${ids}::bigint[])
         AND ${checkAll(reader, terms, conversations)} AND ${mayRead(reader)}`;
    return fetchMessages(db, directory, reader, await idsOf(db, chosen));
  }

  /**
   * The messages around an anchor within a narrow (public reference: "Get messages").
   * @throws ApiError for a bad narrow or too large a count
   */
  async around(reading: Reading, request: HistoryRequest): Promise<History> {
    const { db, directory, caller: user } = reading;
    checkMessageCount(request.before + request.after);
    const reader = readerOf(directory, user);
    const terms = readNarrow(directory, user, request.narrow);
    const conversations = await this.#conversationIds(db, reader.organizationId, terms);
    const anchor = await this.#position(db, request.anchor, (extra, limit) =>
      selectIds(reader, [...terms, ...extra], conversations, { direction: 'from', end: 0, limit }),
    );
    const atAnchor = request.includeAnchor ? 1 : 0;
    const start = request.includeAnchor ? anchor : anchor + 1;
    const before = selectIds(reader, terms, conversations, { direction: 'before', end: anchor, limit: request.before });
    const from = selectIds(reader, terms, conversations, {
      direction: 'from',
      end: start,
      limit: request.after + atAnchor,
    });
    const ids = await idsOf(db, sql`(${before}) UNION ALL (${from}) ORDER BY id`);

    const above = ids.filter((id) => id > anchor).length;
    const below = ids.filter((id) => id < anchor).length;
    // Without a message at the anchor its place was filled with one more after it.
    const excess = above - request.after;
    return {
      anchor,
      foundAnchor: ids.includes(anchor),
      foundNewest: anchor === BEYOND_NEWEST || above < request.after,
      foundOldest: anchor === 0 || below < request.before,
      messages: await fetchMessages(db, directory, reader, excess > 0 ? ids.slice(0, -excess) : ids),
    };
  }

  async #position(
    db: DbTransaction,
    anchor: Anchor,
    first: (extra: readonly Term[], limit: number) => ReturnType<typeof selectIds>,
  ): Promise<number> {
    if (anchor === 'oldest') return 0;
    if (anchor === 'newest') return BEYOND_NEWEST;
    if (typeof anchor === 'number') return Math.min(Math.max(anchor, 0), BEYOND_NEWEST);
    const unread: Term = { condition: { on: 'is', state: 'unread' }, negated: false };
    const { rows } = await sql<{ id: number }>`${first([unread], 1)}`.execute(db);
    return rows[0]?.id ?? BEYOND_NEWEST;
  }

  async #conversationIds(db: DbTransaction, organizationId: number, terms: readonly Term[]): Promise<ConversationIds> {
    const found = new Map<Condition, number | undefined>();
    for (const { condition } of terms) {
      if (condition.on !== 'conversation') continue;
      found.set(condition, (await this.#conversations.find(organizationId, condition.participants, db))?.id);
    }
    return found;
  }
}

/** How ids are found depends on the narrow, and is planned each time; what is then asked of the messages is the same for all. */
async function idsOf(db: DbTransaction, chosen: RawBuilder<unknown>): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`${chosen}`.execute(db);
  return rows.map(({ id }) => id);
}

export const messageQueries = oncePerRooms((rooms: Pick<Rooms, 'db'>) => new MessageQueries(conversationsOf(rooms)));
