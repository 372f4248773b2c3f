/** Logins with a name and a password. */
import { authenticationFailed, deactivatedUser } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { isPassword } from '../../domain/credentials/passwords.ts';
import { passwordOf } from '../../domain/credentials/queries.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type NameAndPassword, personInDirectory } from './directory-login.ts';
import { accountOf } from './joining.ts';

/** A successful login. */
export interface LoggedIn {
  readonly user: UserRecord;
  /** The hash of the password that was verified; undefined if another system verified it. */
  readonly passwordHash: string | undefined;
}

/**
 * The account of the name and the password: a password of ours, or else one of the directory. An unknown account takes as long as a wrong
 * password.
 * @throws ApiError `AUTHENTICATION_FAILED`; `USER_DEACTIVATED` for callers who know the password; `SERVICE_UNAVAILABLE`
 */
export async function loggedInBy(
  app: Pick<AppContext, 'db' | 'config' | 'address' | 'queues'>,
  organization: Organization,
  given: NameAndPassword,
): Promise<LoggedIn> {
  const { username, password } = given;
  const { userId, hash } = await passwordOf(app, organization.id, username);
  const isRight = await isPassword(password, hash);
  const user = userId === null ? undefined : organization.directory.user(userId);
  if (!isRight || hash === null || user === undefined || user.isBot) {
    return loggedInByDirectory(app, organization, given);
  }
  if (!user.isActive) throw deactivatedUser();
  return { user, passwordHash: hash };
}

async function loggedInByDirectory(
  app: Pick<AppContext, 'db' | 'config' | 'address' | 'queues'>,
  organization: Organization,
  given: NameAndPassword,
): Promise<LoggedIn> {
  const person = await personInDirectory(app.config, given);
  if (person === undefined) throw authenticationFailed();
  const { languages, invitationKey } = given;
  const user = await accountOf(app, organization, { ...person, ...(languages && { languages }) }, invitationKey);
  if (user === undefined) throw authenticationFailed();
  return { user, passwordHash: undefined };
}
