import { MAX_COUNTED_HITS } from '@heddle/api/endpoints/messages.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../../access/readable-messages.ts';
import type { ReadyNarrow } from './looking-up.ts';
import { rankOf } from './search.ts';
import { selectNarrow } from './search-selection.ts';
import { idsIn } from './selection.ts';

/** How many messages of a narrow there are, and the most relevant of the newest ones. */
export interface Hits {
  readonly count: number;
  /** Whether there are no other messages. */
  readonly isComplete: boolean;
  readonly ids: readonly number[];
}

/** The row of `selectHits`. */
export interface HitsRow {
  /** One more than are counted if there are more. */
  readonly count: number;
  readonly ids: readonly number[];
}

/**
 * Selects the newest messages of the narrow, as for a page, counts them, and ranks them if `ranked` is not 0. It reads only the
 * words of these messages, and no texts except those that are not indexed yet.
 */
export function selectHits(
  reader: Reader,
  { terms, lookedUp }: ReadyNarrow,
  end: number,
  ranked: number,
): RawBuilder<HitsRow> {
  const stretch = { direction: 'before', end, limit: MAX_COUNTED_HITS + 1 } as const;
  const newest = idsIn(selectNarrow(reader, terms, lookedUp, stretch));
  const searches = terms.flatMap(({ condition, negated }) => (negated ? [] : (lookedUp.found.get(condition) ?? [])));
  const ranks = searches.map((found) => rankOf(reader.organizationId, found, sql`hits.id`));
  const best = sql`
    ARRAY(SELECT hits.id FROM hits ORDER BY ${sql.join([sql`0::real`, ...ranks], sql` + `)} DESC, hits.id DESC LIMIT ${ranked})`;
  return sql<HitsRow>`
    WITH found AS MATERIALIZED (SELECT id FROM (${newest}) AS newest),
         hits AS MATERIALIZED (SELECT id FROM found ORDER BY id DESC LIMIT ${MAX_COUNTED_HITS})
    SELECT (SELECT count(*) FROM found)::integer AS count, ${ranked === 0 ? sql`'{}'` : best}::bigint[] AS ids`;
}
