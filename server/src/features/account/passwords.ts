/** A password that somebody gives their own account (public reference: `PATCH /settings`, and the password reset). */
import { badRequest } from '@heddle/api/errors.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { checkedPassword, checkedPasswordHash, isPassword } from '../authentication/actions.ts';
import { passwordOf } from '../authentication/queries.ts';
import { weaknessOf } from '../password-strength.ts';
import type { Rooms } from '../rooms.ts';

/** Both as hashes. */
export interface PasswordChange {
  readonly from: string;
  readonly to: string;
}

const WRONG = 'Wrong password!';

/**
 * The change of the account's password for who knows the old one. One that has none has nothing to show: it gets its first by mail.
 * @throws ApiError `BAD_REQUEST`: the old one is wrong, or the new one too weak; `SERVICE_UNAVAILABLE`
 */
export async function checkedPasswordChange(
  rooms: Pick<Rooms, 'db'>,
  organization: Organization,
  user: UserRecord,
  { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
): Promise<PasswordChange> {
  const { hash: from } = await passwordOf(rooms, organization.id, user.deliveryEmail);
  if (!(await isPassword(oldPassword, from)) || from === null) throw badRequest(WRONG);
  if (passwordWeakness(organization, user, newPassword) !== undefined) throw badRequest('New password is too weak!');
  return { from, to: await checkedPasswordHash(newPassword) };
}

/**
 * Ends the account's sessions and links with the old password; its API key stays.
 * @throws ApiError `BAD_REQUEST`: it has got another meanwhile
 */
export async function changePassword(
  db: DbTransaction,
  organizationId: number,
  userId: number,
  { from, to }: PasswordChange,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: to })
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw badRequest(WRONG);
}

/** Why the account should not have it: too short, too long, or too easy to guess. */
export function passwordWeakness(
  { directory }: Organization,
  { fullName, deliveryEmail }: UserRecord,
  password: string,
): string | undefined {
  try {
    checkedPassword(password);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return weaknessOf(password, [fullName, deliveryEmail, directory.organization.name]);
}
