import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import { Role, type UserRecord } from '../directory/records.ts';

/** Why the user may not use what is for people who are no guests; undefined where they may. */
export function peopleOnlyRefusal(user: UserRecord): ApiError | undefined {
  if (user.role >= Role.guest) return badRequest('Not allowed for guest users');
  return user.isBot ? badRequest('This endpoint does not accept bot requests.') : undefined;
}
