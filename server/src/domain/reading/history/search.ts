import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { partsOf, type WireTerm } from './narrow.ts';
import { searchWords } from './search-words.ts';

/** A search: words in any form, and exact phrases. */
export interface Sought {
  readonly text: string;
  /** The parts in quotes. */
  readonly phrases: readonly string[];
}

/** Estimates that are kept, and for how long. A user who searches asks for the same words page after page. */
const MAX_CACHED_ESTIMATES = 1000;
const ESTIMATE_CACHE_MS = 60_000;

/** How many messages have the words, as the planner estimates. An estimate only chooses the plan, so an old one may be wrong. */
export class Estimates {
  readonly #known = new Map<string, { readonly hits: number; readonly expires: number }>();

  async of(text: string, reckon: () => Promise<number>): Promise<number> {
    const known = this.#known.get(text);
    if (known !== undefined && performance.now() < known.expires) return known.hits;
    const hits = await reckon();
    if (this.#known.size >= MAX_CACHED_ESTIMATES) this.#known.clear();
    this.#known.set(text, { hits, expires: performance.now() + ESTIMATE_CACHE_MS });
    return hits;
  }
}

/** A search with everything needed to check a message. */
export interface Found extends Sought {
  /** The query for the index, in PostgreSQL's notation. */
  readonly query: string;
  /** The last indexed message. */
  readonly indexedThrough: number;
  /** Newer messages that have the words. */
  readonly newest: readonly number[];
  /** Whether all newer messages were read. */
  readonly isWhole: boolean;
  /** The matching messages of the index, if there are few; null otherwise. */
  readonly ids: readonly number[] | null;
  /**
   * The number of matching messages in the index, as PostgreSQL's planner estimates it from its statistics of frequent
   * words.
   */
  readonly hits: number;
  /** The same as a fraction of all messages. */
  readonly part: number;
}

/**
 * If the estimate is at most `reckoned`, the ids become part of the page's statement, which need not be planned for
 * these words then. `most` allows for a wrong estimate.
 */
const FEW = { reckoned: 1000, most: 2000 };
/**
 * Messages per search that are not indexed yet, and bytes of their texts. After an upgrade, indexing all messages takes
 * some time.
 */
const UNINDEXED = { most: 2000, bytes: 1024 * 1024 };

function sought(text: string): Sought {
  const phrases = [...text.matchAll(/"([^"]+)"/g)].flatMap(([, phrase]) => phrase ?? []);
  return { text, phrases };
}

/** The searches of a narrow, without negated ones. */
export function searchesIn(narrow: readonly WireTerm[]): readonly Sought[] {
  return narrow.flatMap((term) => {
    const { name, operand, negated } = partsOf(term);
    return name === 'search' && !negated ? [sought(String(operand).trim())] : [];
  });
}

/**
 * Looks up the words of a search. Indexes: message_words_by_word; the primary key of messages, for those that are not
 * indexed yet.
 */
export async function find(
  { db, estimates }: { readonly db: Db; readonly estimates: Estimates },
  organizationId: number,
  text: string,
): Promise<Found> {
  const found = sought(text);
  // Repeated as a constant in each place, because the planner estimates constants from its statistics.
  const query = queryOf(found);
  const hits = await estimates.of(text, () => reckon(db, query));
  const { all, ...looked } = await look(db, organizationId, query, hits <= FEW.reckoned);
  return { ...found, ...looked, hits, part: hits / Math.max(hits, all, 1) };
}

/** Words in quotes follow each other. The parts of a word do so everywhere. */
function queryOf({ text, phrases }: Sought): RawBuilder<unknown> {
  const sought = searchWords(text);
  const quoted = phrases.map(searchWords);
  const inOrder = [
    ...sought.phrases,
    ...quoted.flatMap(({ words, phrases: inside }) =>
      inside.length === 0 && words.length > 0 ? [words.join(' ')] : inside,
    ),
  ];
  const conditions = [
    ...inOrder.map((phrase) => sql`phraseto_tsquery('pg_catalog.english', ${phrase})`),
    ...sought.beginnings.map((beginning) => sql`to_tsquery('pg_catalog.english', ${`'${beginning}':*`})`),
  ];
  if (sought.words.length > 0 || conditions.length === 0) {
    conditions.unshift(sql`plainto_tsquery('pg_catalog.english', ${sought.words.join(' ')})`);
  }
  return sql`(${sql.join(conditions, sql` && `)})`;
}

interface Looked extends Pick<Found, 'query' | 'indexedThrough' | 'newest' | 'isWhole' | 'ids'> {
  /** The number of messages in the index, as the planner estimates it. */
  readonly all: number;
}

async function look(db: Db, organizationId: number, query: RawBuilder<unknown>, areFew: boolean): Promise<Looked> {
  const ids = areFew
    ? sql`
      ARRAY(SELECT message_id FROM message_words
             WHERE organization_id = ${organizationId} AND words @@ ${query} LIMIT ${FEW.most + 1})`
    : sql`NULL`;
  const { rows } = await sql<Looked>`
    WITH indexed AS MATERIALIZED (
      SELECT coalesce((SELECT through FROM indexed_messages WHERE organization_id = ${organizationId}), 0)::bigint AS through,
             ${query} AS query
    ), unindexed AS MATERIALIZED (
      SELECT id, topic, rendered_content,
             sum(octet_length(rendered_content)) OVER (ORDER BY id DESC) - octet_length(rendered_content) AS above
        FROM (SELECT id, topic, rendered_content FROM messages
               WHERE organization_id = ${organizationId} AND id > (SELECT through FROM indexed)
               ORDER BY id DESC LIMIT ${UNINDEXED.most + 1}) AS newest
    ), looked AS MATERIALIZED (
      SELECT id, topic, rendered_content FROM unindexed
       WHERE above < ${UNINDEXED.bytes} ORDER BY id DESC LIMIT ${UNINDEXED.most}
    )
    SELECT indexed.through AS "indexedThrough", indexed.query::text AS query,
           ARRAY(SELECT id FROM looked WHERE words_of_message(topic, rendered_content) @@ indexed.query) AS newest,
           (SELECT count(*) FROM unindexed) = (SELECT count(*) FROM looked) AS "isWhole",
           ${ids}::bigint[] AS ids,
           (SELECT reltuples FROM pg_class WHERE oid = 'message_words'::regclass) AS "all"
      FROM indexed`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a look for words answered nothing');
  const isFew = row.ids !== null && row.ids.length <= FEW.most;
  return { ...row, newest: row.newest.map(Number), ids: isFew ? row.ids.map(Number) : null };
}

/** The number of rows that the planner expects. */
async function reckon(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    EXPLAIN (FORMAT JSON) SELECT FROM message_words WHERE words @@ ${query}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the planner answered nothing');
  return row['QUERY PLAN'][0].Plan['Plan Rows'];
}

/**
 * A query for the ids of messages with the words, in a column `id`. If they are many, it reads all matches of the
 * index. Index: message_words_by_word.
 */
export function withWords(organizationId: number, { query, indexedThrough, newest, ids }: Found): RawBuilder<unknown> {
  if (ids !== null) return sql`SELECT unnest(${[...ids, ...newest]}::bigint[]) AS id`;
  return sql`
    SELECT id FROM (
             SELECT message_id AS id FROM message_words
              WHERE organization_id = ${organizationId} AND words @@ ${query}::tsquery
             OFFSET 0 -- with a bound, the planner would rather look at all below it
           ) AS indexed
     WHERE id <= ${indexedThrough}::bigint
     UNION ALL
    SELECT unnest(${newest}::bigint[])`;
}

/** Whether the message with this id has the words. Index: the primary key of message_words. */
export function hasWords(
  organizationId: number,
  { query, indexedThrough, newest }: Found,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    CASE WHEN ${id} > ${indexedThrough}::bigint THEN ${id} IN (SELECT unnest(${newest}::bigint[]))
         ELSE (SELECT w.words @@ ${query}::tsquery FROM message_words w
                WHERE w.organization_id = ${organizationId} AND w.message_id = ${id}) END`;
}

/**
 * How relevant the message with this id is: PostgreSQL's rank of the words of a search. Index: the primary keys of message_words
 * and, for messages that are not indexed yet, of messages.
 */
export function rankOf(
  organizationId: number,
  { query, indexedThrough }: Found,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    coalesce(CASE WHEN ${id} > ${indexedThrough}::bigint
                  THEN (SELECT ts_rank(words_of_message(m.topic, m.rendered_content), ${query}::tsquery) FROM messages m
                         WHERE m.organization_id = ${organizationId} AND m.id = ${id})
                  ELSE (SELECT ts_rank(w.words, ${query}::tsquery) FROM message_words w
                         WHERE w.organization_id = ${organizationId} AND w.message_id = ${id}) END, 0)`;
}

/** Whether message `m` contains the phrases. */
export function hasPhrases({ phrases }: Found): RawBuilder<unknown> {
  const has = phrases.map((phrase) => {
    const pattern = `%${phrase.replace(/[\\%_]/g, '\\$&')}%`;
    return sql`(m.content ILIKE ${pattern} OR m.topic ILIKE ${pattern})`;
  });
  return sql`(${sql.join([sql`true`, ...has], sql` AND `)})`;
}

/** Whether message `m` matches the search. */
export function isFound(organizationId: number, found: Found): RawBuilder<unknown> {
  return sql`(${hasWords(organizationId, found, sql`m.id`)} AND ${hasPhrases(found)})`;
}
