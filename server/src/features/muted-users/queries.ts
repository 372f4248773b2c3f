import type { mutedUser } from '@heddle/api/objects/muted-user.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { NumberInSql } from '../../db/parameters.ts';

export type MutedUser = Static<typeof mutedUser>;

/** The muted users in the wire format, the first muted first. Index: the primary key. */
export function selectMutedUsers(organizationId: NumberInSql, userId: NumberInSql): RawBuilder<readonly MutedUser[]> {
  return sql`
    SELECT coalesce(json_agg(json_build_object('id', muted_user_id,
                                               'timestamp', floor(extract(epoch FROM muted_at))::bigint)
                             ORDER BY muted_at, muted_user_id), '[]')
      FROM muted_users WHERE organization_id = ${organizationId} AND user_id = ${userId}`;
}
