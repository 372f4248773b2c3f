/**
 * Permissions that only the operator of the server grants (public reference: `can_create_users`,
 * `can_change_user_emails`).
 */
import { badRequest } from '@heddle/api/errors.ts';
import type { Db, DbTransaction } from '../../../db/schema.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { AppContext } from '../../../extension/app-context.ts';

const COLUMNS = { 'create-users': 'can_create_users', 'change-addresses': 'can_change_user_emails' } as const;
export type Power = keyof typeof COLUMNS;

/** Reads the database, since these permissions are needed rarely. Index: the primary key. */
export async function hasPower(
  db: Db | DbTransaction,
  organizationId: number,
  userId: number,
  power: Power,
): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select(COLUMNS[power])
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return row !== undefined && Object.values(row)[0] === true;
}

/**
 * Grants or revokes the permission.
 * @throws ApiError `BAD_REQUEST`: no such user
 */
export async function setPower(
  { db }: Pick<AppContext, 'db'>,
  organization: Organization,
  userId: number,
  { power, isGiven }: { readonly power: Power; readonly isGiven: boolean },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ [COLUMNS[power]]: isGiven })
    .where('organization_id', '=', organization.id)
    .where('id', '=', userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw badRequest('No such user');
}
