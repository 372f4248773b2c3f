import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import { canAccess } from '../directory/accessible-users.ts';
import type { Directory } from '../directory/directory.ts';
import { Role, type UserRecord } from '../directory/records.ts';
import type { Audience } from '../log/event.ts';
import { standInAddress } from './addresses.ts';

export { accessibleTo, canAccess, canAccessId, hasInaccessibleUsers } from '../directory/accessible-users.ts';

/** Returns why the user may not use features for people who are not guests; undefined if they may. */
export function peopleOnlyRefusal(user: UserRecord): ApiError | undefined {
  if (user.role >= Role.guest) return badRequest('Not allowed for guest users');
  return user.isBot ? badRequest('This endpoint does not accept bot requests.') : undefined;
}

/**
 * Returns the person, if the reader can access them.
 * @throws ApiError `BAD_REQUEST`
 */
export function accessPerson(directory: Directory, reader: UserRecord, person: UserRecord): UserRecord {
  if (!canAccess(directory, reader, person)) throw badRequest('Insufficient permission');
  return person;
}

/** The users of the audience who can access the person. Use it for events about the person. Default: among everyone. */
export function usersWithAccessTo(
  directory: Directory,
  person: Pick<UserRecord, 'id' | 'isBot'>,
  among: Audience = { to: 'everyone' },
): Audience {
  if (!directory.hidesPeople || person.isBot) return among;
  return { to: 'any', of: [among], except: { to: 'usersWithoutAccess', userId: person.id, among: { to: 'everyone' } } };
}

/** The name that clients see for an inaccessible user (public reference: `can_access_all_users_group`). */
export const STRANGER = 'Unknown user';

/** The fields that identify a person. */
interface Named {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
}

/** The person as an inaccessible user: only the id stays. */
export function asInaccessible<Person extends Named>(directory: Directory, person: Person): Person {
  return { ...person, email: standInAddress(person.id, directory.host), fullName: STRANGER };
}
