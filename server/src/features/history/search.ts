import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { partsOf, type WireTerm } from './narrow.ts';

/** What somebody searches for: words in whichever form, and phrases as they stand. */
export interface Sought {
  readonly text: string;
  /** What was in quotes. */
  readonly phrases: readonly string[];
}

/** What is sought, looked up as far as it takes to ask each message for it. */
export interface Found extends Sought {
  /** What the index is asked for, as PostgreSQL writes it. */
  readonly query: string;
  /** Up to which message the index goes. */
  readonly indexedThrough: number;
  /** Of those that it does not have yet, which have the words. */
  readonly newest: readonly number[];
  /** Whether all of those were looked through. */
  readonly isWhole: boolean;
  /** Of the index, where they are few. */
  readonly ids: readonly number[] | null;
  /** How many messages of the index have the words, as PostgreSQL's planner reckons: it knows the words that many have. */
  readonly hits: number;
  /** The same as a part of all. */
  readonly part: number;
}

/** So few are named to the statement that reads the page, which need not be planned for each word then. The planner may be wrong by as many. */
const FEW = { reckoned: 1000, most: 2000 };
/** Of messages that are not in the index yet so many are looked through, and bytes of them; after an upgrade it takes a while to have all. */
const UNINDEXED = { most: 2000, bytes: 1024 * 1024 };

function sought(text: string): Sought {
  const phrases = [...text.matchAll(/"([^"]+)"/g)].flatMap(([, phrase]) => phrase ?? []);
  return { text, phrases };
}

/** What a narrow searches for, but not what it leaves out. */
export function searchesIn(narrow: readonly WireTerm[]): readonly Sought[] {
  return narrow.flatMap((term) => {
    const { name, operand, negated } = partsOf(term);
    return name === 'search' && !negated ? [sought(String(operand).trim())] : [];
  });
}

/** Looks the words up, in the index where few have them. Indexes: message_words_by_word; messages' primary key, for what is not indexed yet. */
export async function find(db: Db, organizationId: number, text: string): Promise<Found> {
  const found = sought(text);
  const phrases = found.phrases.map((phrase) => sql` && phraseto_tsquery('pg_catalog.english', searchable(${phrase}))`);
  // Written out wherever it is used: as a constant, so that the planner knows how many have the words.
  const query = sql`(plainto_tsquery('pg_catalog.english', searchable(${text}))${sql.join(phrases, sql``)})`;
  const hits = await reckon(db, query);
  const { all, ...looked } = await look(db, organizationId, query, hits <= FEW.reckoned);
  return { ...found, ...looked, hits, part: hits / Math.max(hits, all, 1) };
}

interface Looked extends Pick<Found, 'query' | 'indexedThrough' | 'newest' | 'isWhole' | 'ids'> {
  /** Messages of the index, as the planner knows. */
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

/** How many rows the planner expects of the index. */
async function reckon(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    EXPLAIN (FORMAT JSON) SELECT FROM message_words WHERE words @@ ${query}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the planner answered nothing');
  return row['QUERY PLAN'][0].Plan['Plan Rows'];
}

/**
 * The ids of the messages with the words, as a query with a column `id`: where they are many, it reads all that the index has of them.
 * Index: message_words_by_word.
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

/** Whether the message of that id has the words. Index: the primary key of message_words. */
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

/** Whether message `m` has the phrases. */
export function hasPhrases({ phrases }: Found): RawBuilder<unknown> {
  const has = phrases.map((phrase) => {
    const pattern = `%${phrase.replace(/[\\%_]/g, '\\$&')}%`;
    return sql`(m.content ILIKE ${pattern} OR m.topic ILIKE ${pattern})`;
  });
  return sql`(${sql.join([sql`true`, ...has], sql` AND `)})`;
}

/** Whether message `m` is among those found. */
export function isFound(organizationId: number, found: Found): RawBuilder<unknown> {
  return sql`(${hasWords(organizationId, found, sql`m.id`)} AND ${hasPhrases(found)})`;
}

/**
 * Those of the words that some word of the text stands for.
 * @param sought the words of the text, told apart as those are
 */
export async function wordsAmong(
  db: Db,
  sought: readonly string[],
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const plain = words.filter((word) => PLAIN_WORD.test(word));
  const others = words.filter((word) => !PLAIN_WORD.test(word));
  const { rows } = await sql<{ word: string }>`
    WITH sought AS MATERIALIZED (
      SELECT tsvector_to_array(to_tsvector('pg_catalog.english', searchable(${sought.join(' ')}))) AS words
    )
    SELECT word FROM sought, unnest(${plain}::text[]) AS word
     WHERE ts_lexize('pg_catalog.english_stem', word) && sought.words
     UNION ALL
    SELECT word FROM sought, unnest(${others}::text[]) AS word
     WHERE tsvector_to_array(to_tsvector('pg_catalog.english', searchable(word))) && sought.words`.execute(db);
  return new Set(rows.map(({ word }) => word));
}

/** What PostgreSQL's parser takes for one word, and its configuration for English hands to this dictionary: without the two it is a ninth of the work. */
const PLAIN_WORD = /^[a-z]+$/i;
