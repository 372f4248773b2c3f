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
}

/** Where more than this have a word, walking through the messages finds a page of them soon. */
const FEW = 2000;
/** Of messages that are not in the index yet so many are looked through; after an upgrade it takes a while to have all. */
const MOST_UNINDEXED = 2000;

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
  const { rows } = await sql<{ through: number; found: number[]; newest: number[] }>`
    WITH indexed AS MATERIALIZED (
      SELECT coalesce((SELECT through FROM indexed_messages WHERE organization_id = ${organizationId}), 0) AS through
    )
    SELECT indexed.through::bigint AS through,
           ARRAY(SELECT message_id FROM message_words
                  WHERE organization_id = ${organizationId} AND words @@ ${query(text)} LIMIT ${FEW + 1}) AS found,
           ARRAY(SELECT m.id FROM (
                   SELECT id, topic, rendered_content FROM messages
                    WHERE organization_id = ${organizationId} AND id > indexed.through
                    ORDER BY id DESC LIMIT ${MOST_UNINDEXED}
                 ) AS m WHERE words_of_message(m.topic, m.rendered_content) @@ ${query(text)}) AS newest
      FROM indexed`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a look into the index answered nothing');
  const found = row.found.map(Number);
  const newest = row.newest.map(Number);
  const ids = found.length > FEW ? null : [...found, ...newest];
  return { ...sought(text), ids, indexedThrough: Number(row.through), newest };
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
                                 AND w.words @@ ${query(found.text)}) END`;
  const hasPhrases = found.phrases.map((phrase) => {
    const pattern = `%${phrase.replace(/[\\%_]/g, '\\$&')}%`;
    return sql`(m.content ILIKE ${pattern} OR m.topic ILIKE ${pattern})`;
  });
  return sql`(${sql.join([hasWords, ...hasPhrases], sql` AND `)})`;
}

/** Those of the words that some word of the text stands for. */
export async function wordsAmong(db: Db, text: string, words: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ word: string }>`
    SELECT word FROM unnest(${words}::text[]) AS word
     WHERE to_tsvector('pg_catalog.english', word) @@ replace(${query(text)}::text, '&', '|')::tsquery`.execute(db);
  return new Set(rows.map(({ word }) => word));
}

function query(text: string): RawBuilder<unknown> {
  return sql`plainto_tsquery('pg_catalog.english', ${text})`;
}
