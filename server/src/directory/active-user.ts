import { deactivatedUser, unauthorized } from '@heddle/api/errors.ts';
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

/**
 * Returns the account of a request as it is now. A bot authenticates with its API key only. With another key it can have another owner, for
 * whom a request with the former key must leave nothing.
 * @throws ApiError `USER_DEACTIVATED`; `UNAUTHORIZED`: the bot has another key since its request was authenticated
 */
export function presentCaller(directory: Directory, caller: UserRecord): UserRecord {
  const user = activeUser(directory, caller.id);
  if (user.isBot && user.apiKeyVersion !== caller.apiKeyVersion) throw unauthorized('Invalid API key');
  return user;
}
