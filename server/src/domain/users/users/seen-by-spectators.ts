import { standInAddress, standInUserId } from '../../../access/addresses.ts';
import type { Directory } from '../../../directory/directory.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';

/**
 * A user as spectators see it: with the placeholder address, and the picture of that address. The gravatar of the real
 * address would let a reader confirm a guess. System bots have the same addresses everywhere, so they keep them.
 */
export function asSpectatorsSee<User extends Pick<UserRecord, 'id' | 'email' | 'deliveryEmail' | 'systemBot'>>(
  user: User,
  host: string,
): User {
  if (user.systemBot !== undefined) return user;
  const email = standInAddress(user.id, host);
  return { ...user, email, deliveryEmail: email };
}

/** The user with this address, among the addresses that spectators see. Other addresses find no user. */
export function bySpectatorAddress(directory: Directory, address: string): UserRecord | undefined {
  const id = standInUserId(address, directory.host);
  if (id !== undefined) return directory.user(id);
  const bot = directory.correspondentByEmail(address);
  return bot?.systemBot === undefined ? undefined : bot;
}

/** The user record of spectators, because clients need a user to show. No account has this id. */
export const SPECTATOR: UserRecord = {
  id: 0,
  email: 'username@example.com',
  deliveryEmail: 'username@example.com',
  fullName: 'Anonymous User',
  role: Role.guest,
  isActive: true,
  isBot: false,
  botType: null,
  botOwnerId: null,
  timezone: '',
  avatarVersion: 1,
  apiKeyVersion: 0,
  joinedAt: 0,
};
