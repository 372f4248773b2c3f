import { deactivatedUser } from '@heddle/api/errors.ts';
import type { Directory } from './directory.ts';
import type { UserRecord } from './records.ts';

/**
 * The account as the directory has it: it may have been closed since a request of its was let in.
 * @throws ApiError `USER_DEACTIVATED`
 */
export function activeUser(directory: Directory, userId: number): UserRecord {
  const user = directory.user(userId);
  if (user === undefined || !user.isActive) throw deactivatedUser();
  return user;
}
