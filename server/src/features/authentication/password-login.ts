/** Who logs in with a name and a password. */
import { authenticationFailed, deactivatedUser } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Rooms } from '../rooms.ts';
import { personInDirectory } from './directory-login.ts';
import { accountOf } from './joining.ts';
import { isPassword } from './passwords.ts';
import { passwordOf } from './queries.ts';

/** Somebody who has shown that the account is theirs. */
export interface LoggedIn {
  readonly user: UserRecord;
  /** The hash that their password was held against; undefined where it was not ours to check. */
  readonly passwordHash: string | undefined;
}

export interface NameAndPassword {
  readonly username: string;
  readonly password: string;
  /** Of the link that somebody comes with who may have no account yet. */
  readonly invitationKey?: string | undefined;
}

/**
 * The account that the name and the password open: a password of ours, or else one of the directory. An unknown account takes as long as a wrong password.
 * @throws ApiError `AUTHENTICATION_FAILED`; `USER_DEACTIVATED` to those who know its password; `SERVICE_UNAVAILABLE`
 */
export async function loggedInBy(
  rooms: Pick<Rooms, 'db' | 'config' | 'address' | 'queues'>,
  organization: Organization,
  given: NameAndPassword,
): Promise<LoggedIn> {
  const { username, password } = given;
  const { userId, hash } = await passwordOf(rooms, organization.id, username);
  const isRight = await isPassword(password, hash);
  const user = userId === null ? undefined : organization.directory.user(userId);
  if (!isRight || hash === null || user === undefined || user.isBot) {
    return loggedInByDirectory(rooms, organization, given);
  }
  if (!user.isActive) throw deactivatedUser();
  return { user, passwordHash: hash };
}

async function loggedInByDirectory(
  rooms: Pick<Rooms, 'db' | 'config' | 'address' | 'queues'>,
  organization: Organization,
  given: NameAndPassword,
): Promise<LoggedIn> {
  const person = await personInDirectory(rooms.config, given);
  const user = person === undefined ? undefined : await accountOf(rooms, organization, person, given.invitationKey);
  if (user === undefined) throw authenticationFailed();
  return { user, passwordHash: undefined };
}
