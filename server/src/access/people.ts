import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../directory/directory.ts';
import { Role, type UserRecord } from '../directory/records.ts';
import { knows } from '../directory/sight.ts';
import type { Audience } from '../log/event.ts';
import { standInAddress } from './addresses.ts';

export { hasStrangers, knownTo, knows, knowsId } from '../directory/sight.ts';

/** Why the user may not use what is for people who are no guests; undefined where they may. */
export function peopleOnlyRefusal(user: UserRecord): ApiError | undefined {
  if (user.role >= Role.guest) return badRequest('Not allowed for guest users');
  return user.isBot ? badRequest('This endpoint does not accept bot requests.') : undefined;
}

/**
 * The person, if the reader may know them.
 * @throws ApiError `BAD_REQUEST`
 */
export function accessPerson(directory: Directory, reader: UserRecord, person: UserRecord): UserRecord {
  if (!knows(directory, reader, person)) throw badRequest('Insufficient permission');
  return person;
}

/** Of the audience those who may know the person: whoever is told what happens to them. Default: of everybody. */
export function thoseWhoKnow(
  directory: Directory,
  person: Pick<UserRecord, 'id' | 'isBot'>,
  among: Audience = { to: 'everyone' },
): Audience {
  if (!directory.hidesPeople || person.isBot) return among;
  return { to: 'any', of: [among], except: { to: 'strangers', userId: person.id, among: { to: 'everyone' } } };
}

/** What everybody is called whom the reader may not know (public reference: `can_access_all_users_group`). */
export const STRANGER = 'Unknown user';

/** Of somebody, what names them. */
interface Named {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
}

/** The same of a stranger: no more than the id. */
export function asStranger<Person extends Named>(directory: Directory, person: Person): Person {
  return { ...person, email: standInAddress(person.id, directory.host), fullName: STRANGER };
}
