import { MAX_COUNTED_HITS } from '@heddle/api/endpoints/messages.ts';
import { badRequest, credentialsMissing } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { accessMessages } from '../../../access/message-door.ts';
import { mayRead, type Reader, readerOf } from '../../../access/readable-messages.ts';
import { checkSpectatorsLetIn, type Viewer } from '../../../access/spectators.ts';
import { executeRecurring } from '../../../db/prepared.ts';
import type { Db } from '../../../db/schema.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { Planning, Reading, ReadMore } from '../../../directory/reading.ts';
import { type AppContext, oncePerApp } from '../../../extension/app-context.ts';
import { type Conversations, conversationsOf } from '../../messages/conversations/actions.ts';
import type { FetchedMessage } from '../../messages/messages/fetched-message.ts';
import {
  type Chosen,
  completeMessages,
  type MessageRow,
  messageWithId,
  selectMessages,
  type Texts,
} from '../../messages/messages/queries.ts';
import { firstIdSince } from './date-anchor.ts';
import { type Marked, marker } from './highlighting.ts';
import { type Hits, type HitsRow, selectHits } from './hits.ts';
import { Lexemes } from './lexemes.ts';
import { type ReadyNarrow, readyNarrow } from './looking-up.ts';
import { checkMessageCount, type Term, type WireTerm } from './narrow.ts';
import { checkAll } from './narrow-checks.ts';
import { Estimates, searchesIn } from './search.ts';
import { selectNarrow } from './search-selection.ts';
import { idsIn } from './selection.ts';
import type { Stretch } from './sources.ts';

/** `since`: the first message at or after this time. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread' | { readonly since: Date };

/** Decodes the anchor of a request. */
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
  readonly mark: Mark | undefined;
}

/** Marks the found words in a message of a search. Use it for one response only (`marker`). */
export type Mark = (message: FetchedMessage) => Marked;

export interface HistoryIds {
  readonly ids: readonly number[];
  readonly foundNewest: boolean;
  readonly foundOldest: boolean;
}

/** The anchor that clients use for a position after all messages. */
const BEYOND_NEWEST_ID = 10_000_000_000_000_000;

/** Reads messages. A message that the user cannot read does not exist for that user. */
export class MessageQueries {
  readonly #db: Db;
  readonly #conversations: Conversations;
  readonly #estimates = new Estimates();
  readonly #lexemes = new Lexemes();

  constructor(db: Db, conversations: Conversations) {
    this.#db = db;
    this.#conversations = conversations;
  }

  /**
   * @throws ApiError if the message does not exist or this user cannot read it. Spectators get the error for missing
   * credentials.
   */
  async one({ db, directory, caller: user }: Reading<Viewer>, messageId: number): Promise<FetchedMessage> {
    if (user !== undefined) await accessMessages(db, directory, user, [messageId], 'read', 'look');
    const reader = readerOf(directory, user);
    const chosen: Chosen = user === undefined ? readableOf(reader, [messageId]) : messageWithId(messageId);
    const read: ReadMore = (statement) => executeRecurring(db, statement);
    const rows = await read(selectMessages(reader, chosen, 'both'));
    const [message] = await completeMessages(read, directory, reader, rows);
    if (message === undefined && user === undefined) throw credentialsMissing();
    // It may have been deleted between the two statements.
    if (message === undefined) throw badRequest('Invalid message(s)');
    return message;
  }

  /**
   * Those of the messages that exist, that the user can read, and that match the narrow.
   * @throws ApiError for an invalid narrow or too many ids
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
      const ready = await this.#ready(organization, planning, reader, narrow);
      const readable = readableOf(reader, ids);
      const query = sql`${readable.query} AND ${checkAll(reader, ready.terms, ready.lookedUp)}`;
      return {
        statement: selectMessages(reader, { ...readable, query }, texts),
        result: (rows: readonly MessageRow[], read: ReadMore) => completeMessages(read, directory, reader, rows),
      };
    });
  }

  /** Returns undefined if the narrow has no search. */
  async markFor(
    narrow: readonly WireTerm[],
    messages: readonly FetchedMessage[],
    db: Db = this.#db,
  ): Promise<Mark | undefined> {
    const all = searchesIn(narrow);
    if (all.length === 0) return undefined;
    const textOf = ({ content }: FetchedMessage) => ({ html: content.renderedContent, topic: content.topic });
    const mark = await marker({ db, lexemes: this.#lexemes }, all, messages.map(textOf));
    return (message) => mark(textOf(message));
  }

  /**
   * The messages around an anchor within a narrow (public reference: "Get messages").
   * @throws ApiError for an invalid narrow or too many messages
   */
  around(organization: Organization, user: Viewer, request: HistoryRequest, texts: Texts): Promise<History> {
    checkMessageCount(user, request.before + request.after);
    return organization.readAtOnce(
      user,
      async (planning) => {
        const reader = readerWhoMayAsk(planning);
        const { anchor, chosen, isWhole } = await this.#selectAround(organization, planning, reader, request);
        return {
          statement: besideAnchor(anchor, selectMessages(reader, chosen, texts)),
          result: async (rows: readonly (MessageRow & BesideAnchor)[], read: ReadMore) => {
            const found = await completeMessages(read, planning.directory, reader, rows);
            const { shown, ...page } = pageOf(request, anchorOf(anchor, rows), found, isWhole);
            // Comparing the words takes PostgreSQL as long as finding some pages, so the same host does it.
            return { ...page, messages: shown, mark: await this.markFor(request.narrow, shown, planning.db) };
          },
        };
      },
      { mayUseStandby: isSearchOrOld(request) },
    );
  }

  /** The same for only the ids; ascending. */
  idsAround(organization: Organization, user: Viewer, request: HistoryRequest): Promise<HistoryIds> {
    checkMessageCount(user, request.before + request.after);
    return organization.readAtOnce(user, async (planning) => {
      const reader = readerWhoMayAsk(planning);
      const { anchor, chosen, isWhole } = await this.#selectAround(organization, planning, reader, request);
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

  /**
   * Counts the messages of a narrow up to a limit, and names the most relevant ones.
   * @throws ApiError for an invalid narrow
   */
  hits(organization: Organization, user: Viewer, narrow: readonly WireTerm[], ranked: number): Promise<Hits> {
    return organization.readAtOnce(
      user,
      async (planning) => {
        const reader = readerWhoMayAsk(planning);
        const ready = await this.#ready(organization, planning, reader, narrow);
        const isWhole = [...ready.lookedUp.found.values()].every((found) => found.isWhole);
        return {
          statement: selectHits(reader, ready, BEYOND_NEWEST_ID, ranked),
          result: ([row]: readonly HitsRow[]): Hits => {
            const found = row?.count ?? 0;
            return {
              count: Math.min(found, MAX_COUNTED_HITS),
              isComplete: isWhole && found <= MAX_COUNTED_HITS,
              ids: (row?.ids ?? []).map(Number),
            };
          },
        };
      },
      { mayUseStandby: true },
    );
  }

  /**
   * Selects the messages around the anchor. If the anchor is not a number, the query refers to a table `anchor` that
   * contains it.
   */
  async #selectAround(organization: Organization, planning: Planning<Viewer>, reader: Reader, request: HistoryRequest) {
    const ready = await this.#ready(organization, planning, reader, request.narrow);
    const { terms, lookedUp } = ready;
    const known = knownAnchor(request.anchor);
    const place = known ?? sql`(SELECT anchor.id FROM anchor)`;
    const [start, atAnchor] = request.includeAnchor ? [place, 1] : [sql`${place} + 1`, 0];
    const before: Stretch = { direction: 'before', end: place, limit: request.before };
    const from: Stretch = { direction: 'from', end: start, limit: request.after + atAnchor };
    // One half is empty then, and planning it would cost as much as a full page.
    const halves = [...(known === 0 ? [] : [before]), ...(known === BEYOND_NEWEST_ID ? [] : [from])];
    const [wanted = before, other] = halves.filter(({ limit }) => limit > 0);
    const select = (stretch: Stretch) => selectNarrow(reader, terms, lookedUp, stretch);
    const first = select(wanted);
    // Both halves have the same terms, so their queries have the same columns.
    const chosen: Chosen =
      other === undefined ? first : { ...first, query: sql`(${first.query}) UNION ALL (${select(other).query})` };
    const isWhole = [...lookedUp.found.values()].every((found) => found.isWhole);
    return { anchor: known ?? (await this.#findAnchor(planning, reader, request.anchor, ready)), chosen, isWhole };
  }

  /** The query for an anchor's id: the first unread message of the narrow, or the first one since a date. */
  async #findAnchor({ db }: Planning<Viewer>, reader: Reader, anchor: Anchor, { terms, lookedUp }: ReadyNarrow) {
    const isDate = typeof anchor === 'object';
    const end = isDate ? await firstIdSince(db, reader.organizationId, anchor.since) : 0;
    const wanted = isDate ? terms : [...terms, UNREAD];
    return idsIn(selectNarrow(reader, wanted, lookedUp, { direction: 'from', end, limit: 1 }));
  }

  #ready(
    organization: Organization,
    planning: Planning<Viewer>,
    reader: Reader,
    narrow: readonly WireTerm[],
  ): Promise<ReadyNarrow> {
    const [conversations, estimates] = [this.#conversations, this.#estimates];
    return readyNarrow({ ...planning, organization, conversations, estimates, reader }, narrow);
  }
}

/**
 * Whether a standby may serve it: a search, or a page that begins at a message, at a date or at the oldest one. The newest and the unread
 * messages are where others write, so a standby would often lack one of them. They are also cheap.
 */
function isSearchOrOld({ anchor, narrow }: HistoryRequest): boolean {
  if (searchesIn(narrow).length > 0 || typeof anchor === 'object') return true;
  const known = knownAnchor(anchor);
  return known !== undefined && known < BEYOND_NEWEST_ID;
}

/** @throws ApiError `UNAUTHORIZED` for a spectator, if the organization has no access for spectators */
function readerWhoMayAsk({ directory, caller }: Planning<Viewer>): Reader {
  if (caller === undefined) checkSpectatorsLetIn(directory);
  return readerOf(directory, caller);
}

/** Those of the messages that exist and that the reader can read. Index: the primary key. */
function readableOf(reader: Reader, ids: readonly number[]): Chosen {
  const query = sql`
    SELECT m.* FROM messages m
     WHERE m.organization_id = ${reader.organizationId} AND m.id = ANY (${ids}::bigint[]) AND ${mayRead(reader)}`;
  return { finds: 'rows', query, among: 'all' };
}

const UNREAD: Term = { condition: { on: 'is', state: 'unread' }, negated: false };

/** The anchor as a number; undefined if a query must find it. */
function knownAnchor(anchor: Anchor): number | undefined {
  if (anchor === 'first_unread' || typeof anchor === 'object') return undefined;
  if (anchor === 'oldest') return 0;
  if (anchor === 'newest') return BEYOND_NEWEST_ID;
  return Math.min(Math.max(anchor, 0), BEYOND_NEWEST_ID);
}

/** If a query finds the anchor, every row contains it. */
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
    WITH anchor AS MATERIALIZED (SELECT coalesce((SELECT id FROM (${anchor}) AS first), ${BEYOND_NEWEST_ID})::bigint AS id)
    SELECT anchor.id AS anchor, page.* FROM anchor LEFT JOIN (${page}) AS page ON true`;
}

function anchorOf(anchor: number | RawBuilder<unknown>, [first]: readonly BesideAnchor[]): number {
  return typeof anchor === 'number' ? anchor : (first?.anchor ?? BEYOND_NEWEST_ID);
}

interface Page<Message> extends Omit<History, 'messages' | 'mark'> {
  readonly shown: readonly Message[];
}

/**
 * @param found ascending; contains one message too many if there is no message at the anchor
 * @param isWhole false if a search did not read all messages that are not indexed yet
 */
function pageOf<Message extends { readonly id: number }>(
  { before, after }: HistoryRequest,
  anchor: number,
  found: readonly Message[],
  isWhole: boolean,
): Page<Message> {
  const above = found.filter(({ id }) => id > anchor).length;
  const below = found.filter(({ id }) => id < anchor).length;
  // If there is no message at the anchor, the query returned one more message after it.
  const excess = above - after;
  return {
    anchor,
    foundAnchor: above + below < found.length,
    foundNewest: anchor === BEYOND_NEWEST_ID || (isWhole && above < after),
    foundOldest: anchor === 0 || (isWhole && below < before),
    shown: excess > 0 ? found.slice(0, -excess) : found,
  };
}

export const messageQueries = oncePerApp(
  (app: Pick<AppContext, 'db'>) => new MessageQueries(app.db, conversationsOf(app)),
);
