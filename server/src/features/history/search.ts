import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { partsOf, type WireTerm } from './narrow.ts';

/** What somebody searches for: words in whichever form, and phrases as they stand. */
export interface Sought {
  readonly text: string;
  /** What was in quotes. */
  readonly phrases: readonly string[];
}

/** Messages with the words that are sought: all of them, or how to ask each. */
export interface Found extends Sought {
  /** Where they are few; with those that the index does not have yet. */
  readonly ids: readonly number[] | null;
  /** Up to which message the index goes. */
  readonly indexedThrough: number;
  /** Of those that it does not have yet. */
  readonly newest: readonly number[];
  /** Whether all of those were looked through. */
  readonly isWhole: boolean;
  /** What was asked of the index, as PostgreSQL writes it. */
  readonly query: string;
}

/** Where more than a part of all have a word, walking through the messages finds a page of them soon. */
const FEW = { part: 1 / 50, least: 2000, most: 20_000 };
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

/** Looks the words up. Indexes: message_words_by_word; messages' primary key. */
export async function find(db: Db, organizationId: number, text: string): Promise<Found> {
  // Written out where the index is asked, so that the planner knows how many have the words.
  const query = sql`plainto_tsquery('pg_catalog.english', searchable(${text}))`;
  const { rows } = await sql<FoundRow>`
    WITH indexed AS MATERIALIZED (
      SELECT coalesce((SELECT through FROM indexed_messages WHERE organization_id = ${organizationId}), 0) AS through,
             (SELECT least(greatest(message_head * ${FEW.part}::float8, ${FEW.least}), ${FEW.most})::integer
                FROM logs WHERE organization_id = ${organizationId}) AS few,
             ${query} AS query
    ), unindexed AS MATERIALIZED (
      SELECT id, topic, rendered_content,
             sum(octet_length(rendered_content)) OVER (ORDER BY id DESC) - octet_length(rendered_content) AS above
        FROM (SELECT m.id, m.topic, m.rendered_content FROM indexed, messages m
               WHERE m.organization_id = ${organizationId} AND m.id > indexed.through
               ORDER BY m.id DESC LIMIT ${UNINDEXED.most + 1}) AS newest
    ), looked AS MATERIALIZED (
      SELECT id, topic, rendered_content FROM unindexed
       WHERE above < ${UNINDEXED.bytes} ORDER BY id DESC LIMIT ${UNINDEXED.most}
    ), found AS MATERIALIZED (
      SELECT message_id FROM message_words
       WHERE organization_id = ${organizationId} AND words @@ ${query}
       LIMIT (SELECT few + 1 FROM indexed)
    )
    SELECT indexed.through::bigint AS through, indexed.query::text AS query,
           (SELECT count(*) > indexed.few FROM found) AS "areMany",
           ARRAY(SELECT message_id FROM found) AS found,
           ARRAY(SELECT id FROM looked WHERE words_of_message(topic, rendered_content) @@ indexed.query) AS newest,
           (SELECT count(*) FROM unindexed) = (SELECT count(*) FROM looked) AS "isWhole"
      FROM indexed`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a look into the index answered nothing');
  const newest = row.newest.map(Number);
  const ids = row.areMany ? null : [...row.found.map(Number), ...newest];
  return { ...sought(text), ids, indexedThrough: Number(row.through), newest, isWhole: row.isWhole, query: row.query };
}

interface FoundRow {
  readonly through: number;
  readonly query: string;
  readonly areMany: boolean;
  readonly found: readonly number[];
  readonly newest: readonly number[];
  readonly isWhole: boolean;
}

/** Whether message `m` is among those found. */
export function isFound(organizationId: number, found: Found): RawBuilder<unknown> {
  const among = (ids: readonly number[]) => sql`m.id IN (SELECT unnest(${ids}::bigint[]))`;
  const hasWords =
    found.ids !== null
      ? among(found.ids)
      : sql`CASE WHEN m.id > ${found.indexedThrough}::bigint THEN ${among(found.newest)}
                 ELSE EXISTS (SELECT FROM message_words w
                               WHERE w.organization_id = ${organizationId} AND w.message_id = m.id
                                 AND w.words @@ ${found.query}::tsquery) END`;
  const hasPhrases = found.phrases.map((phrase) => {
    const pattern = `%${phrase.replace(/[\\%_]/g, '\\$&')}%`;
    return sql`(m.content ILIKE ${pattern} OR m.topic ILIKE ${pattern})`;
  });
  return sql`(${sql.join([hasWords, ...hasPhrases], sql` AND `)})`;
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
  const { rows } = await sql<{ word: string }>`
    WITH sought AS MATERIALIZED (
      SELECT tsvector_to_array(to_tsvector('pg_catalog.english', searchable(${sought.join(' ')}))) AS words
    )
    SELECT word FROM sought, unnest(${words}::text[]) AS word
     WHERE tsvector_to_array(to_tsvector('pg_catalog.english', searchable(word))) && sought.words`.execute(db);
  return new Set(rows.map(({ word }) => word));
}
