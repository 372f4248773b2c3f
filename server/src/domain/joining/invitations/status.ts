import type { Directory } from '../../../directory/directory.ts';
import { Role } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { linkKey } from '../../texts/shared/link-keys.ts';
import type { Invitation } from './rows.ts';

/** Whether a person with the link can still join, or else why not. */
export type InvitationStatus = 'open' | 'used' | 'revoked' | 'expired';

/**
 * An invitation is revoked when its inviter's account is closed, or when the inviter's role becomes weaker than the
 * invited one.
 */
export function statusOf(directory: Directory, invitation: Invitation): InvitationStatus {
  if (invitation.ending !== null) return invitation.ending;
  if (hasPassed(invitation.expires_at)) return 'expired';
  const inviter = directory.user(invitation.inviter_id);
  return inviter?.isActive && inviter.role < Role.guest && inviter.role <= invitation.role ? 'open' : 'revoked';
}

export function hasPassed(moment: Date | null): boolean {
  return moment !== null && moment.getTime() <= Date.now();
}

/** The URL of the invitation's page. */
export function linkOf(
  { secret, address }: Pick<AppContext, 'secret' | 'address'>,
  { organization }: Directory,
  { email, nonce }: Pick<Invitation, 'email' | 'nonce'>,
): string {
  const key = linkKey(secret, 'invitation', nonce);
  const path = email === null ? `/join/${key}/` : `/accounts/do_confirm/${key}`;
  return address.of(organization.subdomain) + path;
}
