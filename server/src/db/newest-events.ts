import { sql } from 'kysely';

/**
 * The body of the recursive query `newest (organization_id, id)`: the newest event of each log that has events, from the last organization to
 * the first. It is one step in the index for each such log. Retention deletes the events of idle organizations, so they cost nothing.
 * Backwards, because the oldest events of a log are often deleted and still in the index.
 */
export const NEWEST_EVENTS = sql`
  (SELECT organization_id, id FROM events ORDER BY organization_id DESC, id DESC LIMIT 1)
  UNION ALL
  SELECT following.organization_id, following.id
    FROM newest, LATERAL (SELECT organization_id, id FROM events
                           WHERE organization_id < newest.organization_id
                           ORDER BY organization_id DESC, id DESC LIMIT 1) AS following`;
