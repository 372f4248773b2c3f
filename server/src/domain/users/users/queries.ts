import { badRequest } from '@heddle/api/errors.ts';
import { accountAt, standInUserId } from '../../../access/addresses.ts';
import { accessPerson } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';

/**
 * The user with this id, active or not. It can be a system bot, which no address finds (public reference: "Get a
 * user").
 * @throws ApiError `BAD_REQUEST` if there is none, or the reader cannot access it
 */
export function userById(directory: Directory, reader: UserRecord, userId: number): UserRecord {
  const user = directory.correspondent(userId);
  if (user === undefined) throw badRequest('No such user');
  return accessPerson(directory, reader, user);
}

/**
 * The user with this address: the real one if the reader sees it, the API address, or `user<id>@<host of the
 * organization>`, which every user has.
 * @throws ApiError `BAD_REQUEST` if there is none, or the reader cannot access it
 */
export function userByAddress(directory: Directory, reader: UserRecord, email: string): UserRecord {
  const user = accountAt(directory, reader, email) ?? userByStandIn(directory, email);
  if (user === undefined) throw badRequest('No such user');
  return accessPerson(directory, reader, user);
}

/**
 * The same for the operator, who sees every address.
 * @throws ApiError `BAD_REQUEST` if there is none
 */
export function userByAnyAddress(directory: Directory, email: string): UserRecord {
  const user = directory.userByEmail(email) ?? userByStandIn(directory, email);
  if (user === undefined) throw badRequest('No such user');
  return user;
}

function userByStandIn(directory: Directory, email: string): UserRecord | undefined {
  const id = standInUserId(email, directory.host);
  return id === undefined ? undefined : directory.user(id);
}
