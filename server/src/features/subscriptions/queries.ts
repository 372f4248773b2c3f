import { badRequest } from '@heddle/api/errors.ts';
import type { Db } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { SETTINGS_COLUMNS, type SubscriptionSettings, subscriptionSettings } from './settings.ts';

/** A user's row of a channel that they are, or once were, subscribed to. */
export interface StoredSubscription {
  readonly channelId: number;
  readonly isActive: boolean;
  readonly settings: SubscriptionSettings;
}

/** All of a user's subscriptions, ended ones too. Index: the primary key. */
export async function subscriptionsOf(
  db: Db,
  organizationId: number,
  userId: number,
): Promise<readonly StoredSubscription[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['channel_id', 'is_active', ...SETTINGS_COLUMNS])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('channel_id')
    .execute();
  return rows.map((row) => ({
    channelId: row.channel_id,
    isActive: row.is_active,
    settings: subscriptionSettings(row),
  }));
}

/**
 * The active accounts that are named, by ids or API addresses, each once.
 * @throws ApiError `BAD_REQUEST`: one does not exist or is deactivated
 */
export function activeUsers(directory: Directory, principals: readonly (number | string)[]): UserRecord[] {
  const users = new Set<UserRecord>();
  for (const principal of principals) {
    const user = typeof principal === 'number' ? directory.user(principal) : directory.userByEmail(principal);
    if (user === undefined) throw badRequest('No such user');
    if (!user.isActive) throw badRequest('User is deactivated');
    users.add(user);
  }
  return [...users];
}
