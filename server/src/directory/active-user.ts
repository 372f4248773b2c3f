import { deactivatedUser } from '@heddle/api/errors.ts';
import type { Directory } from './directory.ts';
import type { UserRecord } from './records.ts';

/**
 * Returns the account from the directory. It may have been closed since its request was authenticated.
 * @throws ApiError `USER_DEACTIVATED`
 */
export function activeUser(directory: Directory, userId: number): UserRecord {
  const user = directory.user(userId);
  if (user === undefined || !user.isActive) throw deactivatedUser();
  return user;
}
