/** Changes of the own password by a user who knows the old one (public reference: `PATCH /settings`). */
import { badRequest } from '@heddle/api/errors.ts';
import type { Change, Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { checkedPasswordHash, isPassword, knownOf, passwordProblem } from '../../credentials/passwords.ts';
import { passwordOf } from '../../credentials/queries.ts';
import { endSessionsIn } from '../../credentials/sessions.ts';

/** Both are hashes. */
interface PasswordHashes {
  readonly from: string;
  readonly to: string;
}

export interface PasswordChange extends PasswordHashes {
  /** The session of the browser that changes it. The browser gets another one with the response. */
  readonly session: string | undefined;
}

const WRONG = 'Wrong password!';

/**
 * Checks both passwords, and returns the change. An account without a password cannot use this; it sets its first one
 * by mail.
 * @throws ApiError `BAD_REQUEST`: the old one is wrong, or the new one too weak; `SERVICE_UNAVAILABLE`
 */
export async function checkedPasswordChange(
  app: Pick<AppContext, 'db'>,
  organization: Organization,
  user: UserRecord,
  { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
): Promise<PasswordHashes> {
  const { hash: from } = await passwordOf(app, organization.id, user.deliveryEmail);
  if (!(await isPassword(oldPassword, from)) || from === null) throw badRequest(WRONG);
  const known = knownOf(organization, { fullName: user.fullName, email: user.deliveryEmail });
  if (passwordProblem(newPassword, known) !== undefined) throw badRequest('New password is too weak!');
  return { from, to: await checkedPasswordHash(newPassword, known) };
}

/**
 * Sets the new password. This ends the account's sessions and links; its API key stays.
 * @throws ApiError `BAD_REQUEST`: the password has changed since it was checked
 */
export async function changePassword(
  change: Change,
  userId: number,
  { from, to, session }: PasswordChange,
): Promise<void> {
  const { numUpdatedRows } = await change.db
    .updateTable('users')
    .set({ password_hash: to })
    .where('organization_id', '=', change.directory.organization.id)
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw badRequest(WRONG);
  await endSessionsIn(change, userId, session);
}
