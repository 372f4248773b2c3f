/** Finds what a link for joining leads to. */
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type Invitation, invitationById, invitationByKey } from '../invitations/rows.ts';
import { type InvitationStatus, statusOf } from '../invitations/status.ts';
import { confirmationByKey } from './confirmations.ts';

/** An open invitation of this organization, or why it is not open. */
export type FoundInvitation =
  | { readonly is: 'open'; readonly invitation: Invitation }
  | { readonly is: Exclude<InvitationStatus, 'open'> | 'unknown' };

/** A person with a known address can join, or why not. */
export type FoundByMail =
  | {
      readonly is: 'open';
      readonly address: string;
      /** undefined: the organization requires no invitation. */
      readonly invitation: Invitation | undefined;
      /** undefined: the address got the invitation itself. */
      readonly confirmationId: number | undefined;
    }
  | { readonly is: Closed };

export type Closed =
  | Exclude<FoundInvitation['is'], 'open'>
  | 'invited-only'
  | 'confirmation-used'
  | 'confirmation-expired';

/** @param way a link of one kind is not valid as the other kind */
export async function findInvitation(
  { db }: Pick<AppContext, 'db'>,
  { id, directory }: Organization,
  key: string,
  way: 'mail' | 'link',
): Promise<FoundInvitation> {
  const invitation = await invitationByKey(db, id, key);
  if (invitation === undefined || (invitation.email === null) !== (way === 'link')) return { is: 'unknown' };
  const status = statusOf(directory, invitation);
  return status === 'open' ? { is: status, invitation } : { is: status };
}

/** What a link from a mail leads to: an invitation, or the confirmation of an address. */
export async function findByMail(
  app: Pick<AppContext, 'db'>,
  organization: Organization,
  key: string,
): Promise<FoundByMail> {
  const found = await findInvitation(app, organization, key, 'mail');
  if (found.is === 'unknown') return findConfirmed(app, organization, key);
  if (found.is !== 'open') return found;
  const { invitation } = found;
  return { is: 'open', address: invitation.email ?? '', invitation, confirmationId: undefined };
}

async function findConfirmed(
  { db }: Pick<AppContext, 'db'>,
  { id, directory }: Organization,
  key: string,
): Promise<FoundByMail> {
  const confirmation = await confirmationByKey(db, id, key);
  if (confirmation === undefined) return { is: 'unknown' };
  const { address, invitation_id: invitationId } = confirmation;
  const hasAccount = directory.correspondentByEmail(address) !== undefined;
  if (confirmation.ended_at !== null || hasAccount) return { is: 'confirmation-used' };
  if (confirmation.has_expired) return { is: 'confirmation-expired' };
  const open = { is: 'open', address, confirmationId: confirmation.id } as const;
  if (invitationId === null) {
    return organizationSetting(directory, 'invite_required')
      ? { is: 'invited-only' }
      : { ...open, invitation: undefined };
  }
  const invitation = await invitationById(db, id, invitationId);
  const status = invitation === undefined ? 'revoked' : statusOf(directory, invitation);
  return status === 'open' ? { ...open, invitation } : { is: status };
}
