import type { navigationView } from '@heddle/api/objects/navigation-view.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { NumberInSql } from '../../db/parameters.ts';
import type { DbTransaction, Row } from '../../db/schema.ts';

/** The wire format. */
export type NavigationView = Static<typeof navigationView>;

/** All of the user's, oldest first. Index: the primary key; a user has a bounded number (actions.ts). */
export function selectViews(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<NavigationView[]> {
  return sql`
    SELECT coalesce(json_agg(view), '[]') FROM (
      SELECT fragment, is_pinned, name FROM navigation_views
       WHERE organization_id = ${organizationId} AND user_id = ${userId} ORDER BY id
    ) AS view`;
}

/** All of the user's, for a change by the user. Index: the primary key. */
export async function viewsOf(
  db: DbTransaction,
  organizationId: number,
  userId: number,
): Promise<readonly Row<'navigation_views'>[]> {
  return db
    .selectFrom('navigation_views')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}
