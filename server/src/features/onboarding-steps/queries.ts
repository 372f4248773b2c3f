import { type RawBuilder, sql } from 'kysely';
import type { NumberInSql } from '../../db/parameters.ts';

/** The names of the steps that the user has seen. Index: the primary key. */
export function selectShownSteps(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<string[]> {
  return sql`
    SELECT coalesce((
      SELECT to_json(shown) FROM onboarding_steps WHERE organization_id = ${organizationId} AND user_id = ${userId}
    ), '[]')`;
}
