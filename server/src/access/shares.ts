/** Bounds of a whole organization. Without a share, one account could use up all of a bound. Then no other account could add anything. */
import { badRequest } from '@heddle/api/errors.ts';
import { Role, type UserRecord } from '../directory/records.ts';

/** An account that is no administrator can have a fifth. */
export function shareOf(bound: number): number {
  return Math.floor(bound / 5);
}

/**
 * Checks that the user may add one more.
 * @param what in the plural, for the error
 * @param own how many of all the user has added
 * @throws ApiError `BAD_REQUEST`
 */
export function checkShare(
  user: Pick<UserRecord, 'role'>,
  {
    what,
    bound,
    all,
    own,
  }: { readonly what: string; readonly bound: number; readonly all: number; readonly own: number },
): void {
  if (all >= bound) throw badRequest(`Too many ${what} (limit: ${bound})`);
  const share = shareOf(bound);
  if (user.role > Role.administrator && own >= share)
    throw badRequest(`Too many ${what} of one user (limit: ${share})`);
}
