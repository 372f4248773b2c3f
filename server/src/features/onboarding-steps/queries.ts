import { type RawBuilder, sql } from 'kysely';
import type { NumberInSql } from '../../db/parameters.ts';

/** The names of those that the user was shown. Index: the primary key. */
export function selectShownSteps(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<string[]> {
  return sql`
    SELECT coalesce((
      SELECT to_json(shown) FROM onboarding_steps WHERE organization_id = ${organizationId} AND user_id = ${userId}
    ), '[]')`;
}
