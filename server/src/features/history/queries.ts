import { badRequest, credentialsMissing } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { accessMessages } from '../../access/message-door.ts';
import { mayRead, type Reader, readerOf } from '../../access/readable-messages.ts';
import { checkSpectatorsLetIn, type Viewer } from '../../access/spectators.ts';
import { executeRecurring } from '../../db/prepared.ts';
import type { Db } from '../../db/schema.ts';
import type { Organization, Planning, Reading, ReadMore } from '../../directory/organization.ts';
import { type Conversations, conversationsOf } from '../conversations/actions.ts';
import {
  type Chosen,
  completeMessages,
  type FetchedMessage,
  type MessageRow,
  messageWithId,
  selectMessages,
  type Texts,
} from '../messages/queries.ts';
import { oncePerRooms, type Rooms } from '../rooms.ts';
import { type Marked, marker } from './highlighting.ts';
import { type ReadyNarrow, readyNarrow } from './looking-up.ts';
import { checkMessageCount, type Term, type WireTerm } from './narrow.ts';
import { checkAll } from './narrow-checks.ts';
import { searchesIn } from './search.ts';
import { selectNarrow } from './search-selection.ts';
import { idsIn, type Stretch } from './selection.ts';

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
  readonly #db: Db;
  readonly #conversations: Conversations;

  constructor(db: Db, conversations: Conversations) {
    this.#db = db;
    this.#conversations = conversations;
  }

  /**
   * @throws ApiError where there is no such message, or not for this user; to spectators in the words with which credentials are asked for
   */
  async one({ db, directory, caller: user }: Reading<Viewer>, messageId: number): Promise<FetchedMessage> {
    if (user !== undefined) await accessMessages(db, directory, user, [messageId], 'read', 'look');
    const reader = readerOf(directory, user);
    const chosen: Chosen = user === undefined ? readableOf(reader, [messageId]) : messageWithId(messageId);
    const read: ReadMore = (statement) => executeRecurring(db, statement);
    const rows = await read(selectMessages(reader, chosen, 'both'));
    const [message] = await completeMessages(read, directory, reader, rows);
    if (message === undefined && user === undefined) throw credentialsMissing();
    // It may have been deleted between the two.
    if (message === undefined) throw badRequest('Invalid message(s)');
    return message;
  }

  /**
   * Those of the messages that exist, that the user may read, and that are in the narrow.
   * @throws ApiError for a bad narrow or too many ids
   */
  byIds(
    organization: Organization,
    user: Viewer,
    ids: readonly number[],
    narrow: readonly WireTerm[],
    texts: Texts,
  ): Promise<readonly FetchedMessage[]> {
    checkMessageCount(user, ids.length);
    return organization.readAtOnce(user, async (planning) => {
      const { directory } = planning;
      const reader = readerWhoMayAsk(planning);
      const ready = await this.#ready(planning, reader, narrow);
      const readable = readableOf(reader, ids);
      const query = sql`${readable.query} AND ${checkAll(reader, ready.terms, ready.lookedUp)}`;
      return {
        statement: selectMessages(reader, { ...readable, query }, texts),
        result: (rows: readonly MessageRow[], read: ReadMore) => completeMessages(read, directory, reader, rows),
      };
    });
  }

  /** What is found in the messages by the searches of a narrow, marked; undefined for a narrow without one. */
  async marks(
    narrow: readonly WireTerm[],
    messages: readonly FetchedMessage[],
  ): Promise<((message: FetchedMessage) => Marked) | undefined> {
    const all = searchesIn(narrow);
    if (all.length === 0) return undefined;
    const textOf = ({ content }: FetchedMessage) => ({ html: content.renderedContent, topic: content.topic });
    const mark = await marker(this.#db, all, messages.map(textOf));
    return (message) => mark(textOf(message));
  }

  /**
   * The messages around an anchor within a narrow (public reference: "Get messages").
   * @throws ApiError for a bad narrow or too large a count
   */
  around(organization: Organization, user: Viewer, request: HistoryRequest, texts: Texts): Promise<History> {
    checkMessageCount(user, request.before + request.after);
    return organization.readAtOnce(user, async (planning) => {
      const reader = readerWhoMayAsk(planning);
      const { anchor, chosen, isWhole } = await this.#selectAround(planning, reader, request);
      return {
        statement: besideAnchor(anchor, selectMessages(reader, chosen, texts)),
        async result(rows: readonly (MessageRow & BesideAnchor)[], read: ReadMore) {
          const found = await completeMessages(read, planning.directory, reader, rows);
          const { shown, ...page } = pageOf(request, anchorOf(anchor, rows), found, isWhole);
          return { ...page, messages: shown };
        },
      };
    });
  }

  /** The same, but of the messages their ids alone; ascending. */
  idsAround(organization: Organization, user: Viewer, request: HistoryRequest): Promise<HistoryIds> {
    checkMessageCount(user, request.before + request.after);
    return organization.readAtOnce(user, async (planning) => {
      const reader = readerWhoMayAsk(planning);
      const { anchor, chosen, isWhole } = await this.#selectAround(planning, reader, request);
      return {
        statement: besideAnchor(
          anchor,
          sql<{ id: number | null }>`SELECT id FROM (${chosen.query}) AS chosen ORDER BY id`,
        ),
        result: (rows: readonly ({ id: number | null } & BesideAnchor)[]) => {
          const found = rows.flatMap(({ id }) => (id === null ? [] : { id }));
          const { shown, foundNewest, foundOldest } = pageOf(request, anchorOf(anchor, rows), found, isWhole);
          return { ids: shown.map(({ id }) => id), foundNewest, foundOldest };
        },
      };
    });
  }

  /** The messages around the anchor, which is a number or to be found; then the query stands beside a table `anchor` with it. */
  async #selectAround(planning: Planning<Viewer>, reader: Reader, request: HistoryRequest) {
    const { terms, lookedUp } = await this.#ready(planning, reader, request.narrow);
    const known = knownAnchor(request.anchor);
    const firstUnread = () =>
      idsIn(selectNarrow(reader, [...terms, UNREAD], lookedUp, { direction: 'from', end: 0, limit: 1 }));
    const place = known ?? sql`(SELECT anchor.id FROM anchor)`;
    const [start, atAnchor] = request.includeAnchor ? [place, 1] : [sql`${place} + 1`, 0];
    const before: Stretch = { direction: 'before', end: place, limit: request.before };
    const from: Stretch = { direction: 'from', end: start, limit: request.after + atAnchor };
    // Where there can be none, making the statement ready would cost as much as for a page.
    const halves = [...(known === 0 ? [] : [before]), ...(known === BEYOND_NEWEST ? [] : [from])];
    const [wanted = before, other] = halves.filter(({ limit }) => limit > 0);
    const select = (stretch: Stretch) => selectNarrow(reader, terms, lookedUp, stretch);
    const first = select(wanted);
    // The same terms are found in the same way.
    const chosen: Chosen =
      other === undefined ? first : { ...first, query: sql`(${first.query}) UNION ALL (${select(other).query})` };
    const isWhole = [...lookedUp.found.values()].every((found) => found.isWhole);
    return { anchor: known ?? firstUnread(), chosen, isWhole };
  }

  #ready(planning: Planning<Viewer>, reader: Reader, narrow: readonly WireTerm[]): Promise<ReadyNarrow> {
    return readyNarrow({ ...planning, conversations: this.#conversations, reader }, narrow);
  }
}

/** @throws ApiError `UNAUTHORIZED` for spectators where there are none */
function readerWhoMayAsk({ directory, caller }: Planning<Viewer>): Reader {
  if (caller === undefined) checkSpectatorsLetIn(directory);
  return readerOf(directory, caller);
}

/** Those of the messages that exist and that the reader may read. Index: the primary key. */
function readableOf(reader: Reader, ids: readonly number[]): Chosen {
  const query = sql`
    SELECT m.* FROM messages m
     WHERE m.organization_id = ${reader.organizationId} AND m.id = ANY (${ids}::bigint[]) AND ${mayRead(reader)}`;
  return { finds: 'rows', query, among: 'all' };
}

const UNREAD: Term = { condition: { on: 'is', state: 'unread' }, negated: false };

/** Where the page is to be; undefined where that must be found. */
function knownAnchor(anchor: Anchor): number | undefined {
  if (anchor === 'first_unread') return undefined;
  if (anchor === 'oldest') return 0;
  if (anchor === 'newest') return BEYOND_NEWEST;
  return Math.min(Math.max(anchor, 0), BEYOND_NEWEST);
}

/** Rows of a query that finds its anchor name it. */
interface BesideAnchor {
  readonly anchor?: number;
}

/** @param anchor a number, or a query of the id */
function besideAnchor<Row>(
  anchor: number | RawBuilder<unknown>,
  page: RawBuilder<Row>,
): RawBuilder<Row & BesideAnchor> {
  if (typeof anchor === 'number') return page as RawBuilder<Row & BesideAnchor>;
  return sql`
    WITH anchor AS MATERIALIZED (SELECT coalesce((SELECT id FROM (${anchor}) AS first), ${BEYOND_NEWEST})::bigint AS id)
    SELECT anchor.id AS anchor, page.* FROM anchor LEFT JOIN (${page}) AS page ON true`;
}

function anchorOf(anchor: number | RawBuilder<unknown>, [first]: readonly BesideAnchor[]): number {
  return typeof anchor === 'number' ? anchor : (first?.anchor ?? BEYOND_NEWEST);
}

interface Page<Message> extends Omit<History, 'messages'> {
  readonly shown: readonly Message[];
}

/**
 * @param found ascending; with one too many where there is no message at the anchor
 * @param isWhole whether there are no others, as there may be where the index lags
 */
function pageOf<Message extends { readonly id: number }>(
  { before, after }: HistoryRequest,
  anchor: number,
  found: readonly Message[],
  isWhole: boolean,
): Page<Message> {
  const above = found.filter(({ id }) => id > anchor).length;
  const below = found.filter(({ id }) => id < anchor).length;
  // Without a message at the anchor its place was filled with one more after it.
  const excess = above - after;
  return {
    anchor,
    foundAnchor: above + below < found.length,
    foundNewest: anchor === BEYOND_NEWEST || (isWhole && above < after),
    foundOldest: anchor === 0 || (isWhole && below < before),
    shown: excess > 0 ? found.slice(0, -excess) : found,
  };
}

export const messageQueries = oncePerRooms(
  (rooms: Pick<Rooms, 'db'>) => new MessageQueries(rooms.db, conversationsOf(rooms)),
);
