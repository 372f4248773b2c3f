import { badRequest, credentialsMissing } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { accessMessages } from '../../access/message-door.ts';
import { mayRead, type Reader, readerOf } from '../../access/readable-messages.ts';
import { checkSpectatorsLetIn, type Viewer } from '../../access/spectators.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization, Reading } from '../../directory/organization.ts';
import { type Conversations, conversationsOf } from '../conversations/actions.ts';
import { type FetchedMessage, fetchedMessages, type MessageRow, selectMessages } from '../messages/queries.ts';
import { oncePerRooms, type Rooms } from '../rooms.ts';
import { type Condition, checkMessageCount, readNarrow, type Term, type WireTerm } from './narrow.ts';
import { type ConversationIds, checkAll } from './narrow-checks.ts';
import { type Stretch, selectIds } from './selection.ts';

export type Anchor = number | 'newest' | 'oldest' | 'first_unread';

/** As a request names it. */
export function anchorNamed(anchor: string | number): Anchor {
  if (anchor === 'newest' || anchor === 'oldest' || anchor === 'first_unread') return anchor;
  return Number(anchor);
}

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

export interface HistoryIds {
  readonly ids: readonly number[];
  readonly foundNewest: boolean;
  readonly foundOldest: boolean;
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
   * @throws ApiError where there is no such message, or not for this user; to spectators in the words with which credentials are asked for
   */
  async one({ db, directory, caller: user }: Reading<Viewer>, messageId: number): Promise<FetchedMessage> {
    if (user !== undefined) await accessMessages(db, directory, user, [messageId], 'read', 'look');
    const reader = readerOf(directory, user);
    const chosen = user === undefined ? readableOf(reader, [messageId]) : sql`SELECT ${messageId}::bigint`;
    const { rows } = await selectMessages(directory, reader, chosen).execute(db);
    const [message] = fetchedMessages(directory, rows);
    if (message === undefined && user === undefined) throw credentialsMissing();
    // It may have been deleted between the two.
    if (message === undefined) throw badRequest('Invalid message(s)');
    return message;
  }

  /**
   * Those of the messages that exist, that the user may read, and that are in the narrow. One statement.
   * @throws ApiError for a bad narrow or too many ids
   */
  byIds(
    organization: Organization,
    user: Viewer,
    ids: readonly number[],
    narrow: readonly WireTerm[] = [],
  ): Promise<readonly FetchedMessage[]> {
    checkMessageCount(user, ids.length);
    return organization.readAtOnce(user, async ({ directory, caller }) => {
      const reader = readerWhoMayAsk(directory, caller);
      const terms = readNarrow(directory, caller, narrow);
      const conversations = await this.#conversationIds(reader.organizationId, terms);
      const chosen = sql`${readableOf(reader, ids)} AND ${checkAll(reader, terms, conversations)}`;
      return {
        statement: selectMessages(directory, reader, chosen),
        result: (rows: readonly MessageRow[]) => fetchedMessages(directory, rows),
      };
    });
  }

  /**
   * The messages around an anchor within a narrow (public reference: "Get messages"). One statement.
   * @throws ApiError for a bad narrow or too large a count
   */
  around(organization: Organization, user: Viewer, request: HistoryRequest): Promise<History> {
    checkMessageCount(user, request.before + request.after);
    return organization.readAtOnce(user, async ({ directory, caller }) => {
      const reader = readerWhoMayAsk(directory, caller);
      const { anchor, ids } = await this.#selectAround(directory, caller, reader, request);
      return {
        statement: sql<PageRow>`
          WITH anchor AS MATERIALIZED (SELECT ${anchor}::bigint AS id)
          SELECT anchor.id AS anchor, page.*
            FROM anchor LEFT JOIN (${selectMessages(directory, reader, ids)}) AS page ON true`,
        result: (rows: readonly PageRow[]) => {
          const { shown, ...page } = pageOf(request, rows[0]?.anchor, fetchedMessages(directory, rows));
          return { ...page, messages: shown };
        },
      };
    });
  }

  /** The same, but of the messages their ids alone; ascending. */
  idsAround(organization: Organization, user: Viewer, request: HistoryRequest): Promise<HistoryIds> {
    checkMessageCount(user, request.before + request.after);
    return organization.readAtOnce(user, async ({ directory, caller }) => {
      const { anchor, ids } = await this.#selectAround(directory, caller, readerWhoMayAsk(directory, caller), request);
      return {
        statement: sql<{ anchor: number; id: number | null }>`
          WITH anchor AS MATERIALIZED (SELECT ${anchor}::bigint AS id)
          SELECT anchor.id AS anchor, page.id
            FROM anchor LEFT JOIN (${ids}) AS page ON true
           ORDER BY page.id`,
        result: (rows: readonly { anchor: number; id: number | null }[]) => {
          const found = rows.flatMap(({ id }) => (id === null ? [] : { id }));
          const { shown, foundNewest, foundOldest } = pageOf(request, rows[0]?.anchor, found);
          return { ids: shown.map(({ id }) => id), foundNewest, foundOldest };
        },
      };
    });
  }

  /** The anchor as an expression, and the ids around it as a query beside a table `anchor` with it. */
  async #selectAround(directory: Directory, caller: Viewer, reader: Reader, request: HistoryRequest) {
    const terms = readNarrow(directory, caller, request.narrow);
    const conversations = await this.#conversationIds(reader.organizationId, terms);
    const select = (extra: readonly Term[], stretch: Stretch) =>
      selectIds(reader, [...terms, ...extra], conversations, stretch);
    const anchor = sql`(SELECT anchor.id FROM anchor)`;
    const atAnchor = request.includeAnchor ? 1 : 0;
    const start = request.includeAnchor ? anchor : sql`${anchor} + 1`;
    const before = select([], { direction: 'before', end: anchor, limit: request.before });
    const from = select([], { direction: 'from', end: start, limit: request.after + atAnchor });
    return { anchor: anchorId(request.anchor, select), ids: sql`(${before}) UNION ALL (${from})` };
  }

  async #conversationIds(organizationId: number, terms: readonly Term[]): Promise<ConversationIds> {
    const found = new Map<Condition, number | undefined>();
    for (const { condition } of terms) {
      if (condition.on !== 'conversation') continue;
      found.set(condition, (await this.#conversations.find(organizationId, condition.participants))?.id);
    }
    return found;
  }
}

/** @throws ApiError `UNAUTHORIZED` for spectators where there are none */
function readerWhoMayAsk(directory: Directory, caller: Viewer): Reader {
  if (caller === undefined) checkSpectatorsLetIn(directory);
  return readerOf(directory, caller);
}

/** The ids of those of the messages that exist and that the reader may read. Index: the primary key. */
function readableOf(reader: Reader, ids: readonly number[]): RawBuilder<unknown> {
  return sql`
    SELECT m.id FROM messages m
     WHERE m.organization_id = ${reader.organizationId} AND m.id = ANY (${ids}::bigint[]) AND ${mayRead(reader)}`;
}

type PageRow = MessageRow & { readonly anchor: number };

/** Where the page is to be, as an expression. */
function anchorId(
  anchor: Anchor,
  select: (extra: readonly Term[], stretch: Stretch) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (anchor === 'oldest') return sql`${0}`;
  if (anchor === 'newest') return sql`${BEYOND_NEWEST}`;
  if (typeof anchor === 'number') return sql`${Math.min(Math.max(anchor, 0), BEYOND_NEWEST)}`;
  const unread: Term = { condition: { on: 'is', state: 'unread' }, negated: false };
  const first = select([unread], { direction: 'from', end: 0, limit: 1 });
  return sql`coalesce((SELECT id FROM (${first}) AS first), ${BEYOND_NEWEST})`;
}

interface Page<Message> extends Omit<History, 'messages'> {
  readonly shown: readonly Message[];
}

/** @param found ascending; with one too many where there is no message at the anchor */
function pageOf<Message extends { readonly id: number }>(
  { before, after }: HistoryRequest,
  anchor = BEYOND_NEWEST,
  found: readonly Message[],
): Page<Message> {
  const above = found.filter(({ id }) => id > anchor).length;
  const below = found.filter(({ id }) => id < anchor).length;
  // Without a message at the anchor its place was filled with one more after it.
  const excess = above - after;
  return {
    anchor,
    foundAnchor: above + below < found.length,
    foundNewest: anchor === BEYOND_NEWEST || above < after,
    foundOldest: anchor === 0 || below < before,
    shown: excess > 0 ? found.slice(0, -excess) : found,
  };
}

export const messageQueries = oncePerRooms((rooms: Pick<Rooms, 'db'>) => new MessageQueries(conversationsOf(rooms)));
