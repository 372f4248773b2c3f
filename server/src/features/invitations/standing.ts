import type { Directory } from '../../directory/directory.ts';
import { Role } from '../../directory/records.ts';
import { linkKey } from '../link-keys.ts';
import type { Rooms } from '../rooms.ts';
import type { Invitation } from './rows.ts';

/** Whether whoever has the link may still come; else why not. */
export type Standing = 'open' | 'used' | 'revoked' | 'expired';

/** An invitation ends with the account of who has invited, and with their right to bring in who may do as much. */
export function standingOf(directory: Directory, invitation: Invitation): Standing {
  if (invitation.ending !== null) return invitation.ending;
  if (hasPassed(invitation.expires_at)) return 'expired';
  const inviter = directory.user(invitation.inviter_id);
  return inviter?.isActive && inviter.role < Role.guest && inviter.role <= invitation.role ? 'open' : 'revoked';
}

export function hasPassed(moment: Date | null): boolean {
  return moment !== null && moment.getTime() <= Date.now();
}

/** Where the invitation's link leads. */
export function linkOf(
  { secret, address }: Pick<Rooms, 'secret' | 'address'>,
  { organization }: Directory,
  { email, nonce }: Pick<Invitation, 'email' | 'nonce'>,
): string {
  const key = linkKey(secret, 'invitation', nonce);
  const path = email === null ? `/join/${key}/` : `/accounts/do_confirm/${key}`;
  return address.of(organization.subdomain) + path;
}
