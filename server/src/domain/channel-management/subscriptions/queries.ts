import { badRequest } from '@heddle/api/errors.ts';
import { SUBSCRIPTION_SETTING_NAMES, type SubscriptionSettings } from '@heddle/api/subscription-settings.ts';
import { type RawBuilder, sql } from 'kysely';
import { accountAt } from '../../../access/addresses.ts';
import { accessPerson } from '../../../access/people.ts';
import type { NumberInSql } from '../../../db/parameters.ts';
import type { Row } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';

/** The row of a user's current or ended subscription. */
export interface StoredSubscription {
  readonly channelId: number;
  readonly isActive: boolean;
  readonly settings: SubscriptionSettings;
}

/** The row as JSON. */
export type StoredRow = SubscriptionSettings & Pick<Row<'subscriptions'>, 'channel_id' | 'is_active'>;

const COLUMNS = sql.raw(SUBSCRIPTION_SETTING_NAMES.join(', '));

/** All subscriptions of a user in the order of channels, including ended ones. Index: the primary key. */
export function selectSubscriptions(
  organizationId: NumberInSql,
  userId: NumberInSql,
): RawBuilder<readonly StoredRow[]> {
  return sql`
    SELECT coalesce(json_agg(subscription), '[]') FROM (
      SELECT channel_id, is_active, ${COLUMNS} FROM subscriptions
       WHERE organization_id = ${organizationId} AND user_id = ${userId} ORDER BY channel_id
    ) AS subscription`;
}

export function toStored(row: StoredRow): StoredSubscription {
  return { channelId: row.channel_id, isActive: row.is_active, settings: row };
}

/**
 * Returns the active accounts with these ids or API addresses, each once.
 * @throws ApiError `BAD_REQUEST`: one does not exist, is deactivated, or is inaccessible to the caller
 */
export function activeUsers(
  directory: Directory,
  caller: UserRecord,
  principals: readonly (number | string)[],
): UserRecord[] {
  const users = new Set<UserRecord>();
  for (const principal of principals) {
    const user = typeof principal === 'number' ? directory.user(principal) : accountAt(directory, caller, principal);
    if (user === undefined) throw badRequest('No such user');
    accessPerson(directory, caller, user);
    if (!user.isActive) throw badRequest('User is deactivated');
    users.add(user);
  }
  return [...users];
}
