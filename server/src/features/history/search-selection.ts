import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../access/readable-messages.ts';
import type { Chosen } from '../messages/queries.ts';
import type { Term } from './narrow.ts';
import { checkAll, type LookedUp } from './narrow-checks.ts';
import { type Found, hasPhrases, hasWords, withWords } from './search.ts';
import { idsIn, idsOf, isSelected, order, type Stretch, select, within } from './selection.ts';

/** To look at a message on the way costs as much as so many that the index has a word of. */
const HITS_A_LOOK = 2;
/** At least so many are looked at. */
const LEAST_LOOKS = 500;

/**
 * The messages in a narrow that the reader may read, as `select`; those that are searched for alone, where the narrow searches. Where few
 * messages have the words, these are asked whether they are in the narrow. Where many have, the narrow is walked until they are enough,
 * but not far: if they are rare in there, the index knows where the others are.
 */
export function selectNarrow(reader: Reader, terms: readonly Term[], lookedUp: LookedUp, stretch: Stretch): Chosen {
  const searches = terms.flatMap(({ condition, negated }) => (negated ? [] : (lookedUp.found.get(condition) ?? [])));
  const [rarest] = searches.toSorted((one, other) => one.hits - other.hits);
  if (rarest === undefined) return select(reader, terms, lookedUp, stretch);
  const others = terms.filter(({ condition, negated }) => negated || condition.on !== 'search');
  const search: Search = { reader, rarest, searches, others, lookedUp };
  // Four times as many as it should take: what people write of is not the same everywhere.
  const looks = Math.max(LEAST_LOOKS, Math.ceil((4 * stretch.limit) / rarest.part));
  if (looks * HITS_A_LOOK >= rarest.hits) return idsOf(askingHits(search, stretch, sql`${stretch.limit}`));
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
      // Each is counted only where the one before leaves it open: what is looked at is looked at as it is counted.
      sql`(SELECT CASE WHEN (SELECT count(*) FROM walked) = ${stretch.limit}
                         OR (SELECT count(*) FROM looked) < ${looks} THEN 0
                       ELSE ${stretch.limit} - (SELECT count(*) FROM walked) END)`,
    )}))`);
}

interface Search {
  readonly reader: Reader;
  readonly rarest: Found;
  readonly searches: readonly Found[];
  /** What else the narrow says. */
  readonly others: readonly Term[];
  readonly lookedUp: LookedUp;
}

/** Whether what was looked at is sought. */
function amongLooked({ reader: { organizationId }, searches }: Search): RawBuilder<unknown> {
  const id = sql`looked.id`;
  const words = searches.map((found) => hasWords(organizationId, found, id));
  const phrases = searches.filter((found) => found.phrases.length > 0).map(hasPhrases);
  if (phrases.length === 0) return sql.join(words, sql` AND `);
  const inText = sql`EXISTS (
    SELECT FROM messages m
     WHERE m.organization_id = ${organizationId} AND m.id = ${id} AND ${sql.join(phrases, sql` AND `)})`;
  // Texts are read of what has the words.
  return sql`CASE WHEN ${sql.join(words, sql` AND `)} THEN ${inText} ELSE false END`;
}

/** The ids of what has the rarest words and fits all else, nearest first. Indexes: message_words_by_word; the primary keys for each hit. */
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
