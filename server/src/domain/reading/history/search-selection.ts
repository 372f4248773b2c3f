import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../../access/readable-messages.ts';
import type { Chosen } from '../../messages/messages/queries.ts';
import type { Term } from './narrow.ts';
import { checkAll, type LookedUp } from './narrow-checks.ts';
import { type Found, hasPhrases, hasWords, withWords } from './search.ts';
import { idsIn, idsOf, isSelected, select } from './selection.ts';
import { order, type Stretch, within } from './sources.ts';

/** The cost of checking one message on a walk, in hits of the index. */
const HITS_PER_CHECK = 2;
/** The minimum number of messages to check on a walk. */
const MIN_CHECKED_MESSAGES = 500;

/**
 * The messages in a narrow that the reader can read, like `select`, with its searches. If few messages have the words,
 * the query starts with them and checks each one against the narrow. If many have them, it walks the narrow until the
 * page is full, with a bound. If the words are rare in this narrow, the index of words finds the rest.
 */
export function selectNarrow(reader: Reader, terms: readonly Term[], lookedUp: LookedUp, stretch: Stretch): Chosen {
  const searches = terms.flatMap(({ condition, negated }) => (negated ? [] : (lookedUp.found.get(condition) ?? [])));
  const [rarest] = searches.toSorted((one, other) => one.hits - other.hits);
  if (rarest === undefined) return select(reader, terms, lookedUp, stretch);
  const others = terms.filter(({ condition, negated }) => negated || condition.on !== 'search');
  const search: Search = { reader, rarest, searches, others, lookedUp };
  // Four times the expected number, because words are not spread evenly.
  const looks = Math.max(MIN_CHECKED_MESSAGES, Math.ceil((4 * stretch.limit) / rarest.part));
  if (looks * HITS_PER_CHECK >= rarest.hits) return idsOf(askingHits(search, stretch, sql`${stretch.limit}`));
  const end =
    stretch.direction === 'before' ? sql`(SELECT min(id) FROM looked)` : sql`(SELECT max(id) + 1 FROM looked)`;
  return idsOf(sql`
    (WITH looked AS MATERIALIZED (
      SELECT id FROM (${idsIn(select(reader, others, lookedUp, { ...stretch, limit: looks }))}) AS narrowed
       ORDER BY id ${order(stretch)} -- they are: so that who reads them knows, and need not have all
    ), walked AS MATERIALIZED (
      SELECT looked.id FROM looked
       WHERE ${amongLooked(search)}
       ORDER BY looked.id ${order(stretch)} LIMIT ${stretch.limit}
    )
    SELECT id FROM walked
    UNION ALL
    (${askingHits(
      search,
      { ...stretch, end },
      // The conditions are evaluated in order and only as far as necessary, because counting a subquery executes it.
      sql`(SELECT CASE WHEN (SELECT count(*) FROM walked) = ${stretch.limit}
                         OR (SELECT count(*) FROM looked) < ${looks} THEN 0
                       ELSE ${stretch.limit} - (SELECT count(*) FROM walked) END)`,
    )}))`);
}

interface Search {
  readonly reader: Reader;
  readonly rarest: Found;
  readonly searches: readonly Found[];
  /** The other terms of the narrow. */
  readonly others: readonly Term[];
  readonly lookedUp: LookedUp;
}

/** Whether a message of the walk matches all searches. */
function amongLooked({ reader: { organizationId }, searches }: Search): RawBuilder<unknown> {
  const id = sql`looked.id`;
  const words = searches.map((found) => hasWords(organizationId, found, id));
  const phrases = searches.filter((found) => found.phrases.length > 0).map(hasPhrases);
  if (phrases.length === 0) return sql.join(words, sql` AND `);
  const inText = sql`EXISTS (
    SELECT FROM messages m
     WHERE m.organization_id = ${organizationId} AND m.id = ${id} AND ${sql.join(phrases, sql` AND `)})`;
  // Reads the texts only of messages that have the words.
  return sql`CASE WHEN ${sql.join(words, sql` AND `)} THEN ${inText} ELSE false END`;
}

/**
 * The ids of messages with the rarest words that match everything else, nearest first. Indexes: message_words_by_word;
 * the primary keys for each hit.
 */
function askingHits(
  { reader, rarest, searches, others, lookedUp }: Search,
  stretch: Pick<Stretch, 'direction' | 'end'>,
  limit: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { organizationId } = reader;
  const words = searches.filter((found) => found !== rarest).map((found) => hasWords(organizationId, found, sql`m.id`));
  return sql`
    SELECT hit.id FROM (
             SELECT id FROM (${withWords(organizationId, rarest)}) AS has
              WHERE ${within(stretch, null, sql`id`)}
              ORDER BY id ${order(stretch)}
           ) AS hit, LATERAL (
             SELECT * FROM messages
              WHERE messages.organization_id = ${organizationId} AND messages.id = hit.id
             OFFSET 0 -- so that it ends where the page does
           ) AS m
     WHERE ${sql.join([...words, ...searches.map(hasPhrases), checkAll(reader, others, lookedUp)], sql` AND `)}
       AND ${isSelected(reader, others, lookedUp)}
     ORDER BY hit.id ${order(stretch)} LIMIT ${limit}`;
}
