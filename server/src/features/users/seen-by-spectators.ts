import { standInAddress } from '../../access/addresses.ts';
import type { Directory } from '../../directory/directory.ts';
import { Role, type UserRecord } from '../../directory/records.ts';

/**
 * A user as spectators are told of them: without the address, and with the picture of the address that stands for it, since
 * gravatar's would tell whoever guesses it. The server's own bots have the same addresses everywhere.
 */
export function asSpectatorsSee<User extends Pick<UserRecord, 'id' | 'email' | 'deliveryEmail' | 'systemBot'>>(
  user: User,
  host: string,
): User {
  if (user.systemBot !== undefined) return user;
  const email = standInAddress(user.id, host);
  return { ...user, email, deliveryEmail: email };
}

/** Whom an address names of those that spectators are told; no other address finds anybody. */
export function byToldAddress(directory: Directory, address: string): UserRecord | undefined {
  const [, id] = /^user(\d{1,10})@/i.exec(address) ?? [];
  if (id !== undefined) return directory.user(Number(id));
  const bot = directory.correspondentByEmail(address);
  return bot?.systemBot === undefined ? undefined : bot;
}

/** What spectators are as users: clients want to show somebody. No account has the id. */
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
