import { badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Rooms } from '../rooms.ts';
import { standInAddress } from './seen-by-spectators.ts';

export { type Avatar, type AvatarSize, avatarOf, mediumAvatarUrl, strangersAvatarUrl } from './avatars.ts';
export { asSpectatorsSee, byToldAddress, SPECTATOR } from './seen-by-spectators.ts';

/**
 * The user with this id, active or not; also one of the server's own bots, which no address finds (public reference: "Get a user").
 * @throws ApiError `BAD_REQUEST` if there is none
 */
export function userById(directory: Directory, userId: number): UserRecord {
  const user = directory.correspondent(userId);
  if (user === undefined) throw badRequest('No such user');
  return user;
}

/**
 * The user with this address: the real one, the API's, or `user<id>@<host of the organization>`, which each user has.
 * @throws ApiError `BAD_REQUEST` if there is none
 */
export function userByAddress({ address }: Pick<Rooms, 'address'>, directory: Directory, email: string): UserRecord {
  const user =
    directory.userByEmail(email) ?? userByStandIn(address.hostOf(directory.organization.subdomain), directory, email);
  if (user === undefined) throw badRequest('No such user');
  return user;
}

function userByStandIn(host: string, directory: Directory, email: string): UserRecord | undefined {
  const [, id] = /^user(\d{1,10})@/i.exec(email) ?? [];
  if (id === undefined || email.toLowerCase() !== standInAddress(Number(id), host)) return undefined;
  return directory.user(Number(id));
}
