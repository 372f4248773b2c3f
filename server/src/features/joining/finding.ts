/** What a link leads to that people join with. */
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Organization } from '../../directory/organization.ts';
import { type Invitation, invitationById, invitationByKey, type Standing, standingOf } from '../invitations/queries.ts';
import type { Rooms } from '../rooms.ts';
import { confirmationByKey } from './confirmations.ts';

/** An invitation of this organization, or what is the matter with it. */
export type FoundInvitation =
  | { readonly is: 'open'; readonly invitation: Invitation }
  | { readonly is: Exclude<Standing, 'open'> | 'unknown' | 'elsewhere' };

/** Somebody whose address is known may come, or what is the matter. */
export type FoundByMail =
  | {
      readonly is: 'open';
      readonly address: string;
      /** undefined: the organization takes whoever comes. */
      readonly invitation: Invitation | undefined;
      /** undefined: the invitation itself was sent to the address. */
      readonly confirmationId: number | undefined;
    }
  | { readonly is: Closed };

export type Closed =
  | Exclude<FoundInvitation['is'], 'open'>
  | 'invited-only'
  | 'confirmation-used'
  | 'confirmation-expired';

/** @param way links of one kind are no links of the other */
export async function findInvitation(
  { db }: Pick<Rooms, 'db'>,
  { id, directory }: Organization,
  key: string,
  way: 'mail' | 'link',
): Promise<FoundInvitation> {
  const invitation = await invitationByKey(db, key);
  if (invitation === undefined || (invitation.email === null) !== (way === 'link')) return { is: 'unknown' };
  if (invitation.organization_id !== id) return { is: 'elsewhere' };
  const standing = standingOf(directory, invitation);
  return standing === 'open' ? { is: standing, invitation } : { is: standing };
}

/** What a link that came by mail leads to: an invitation, or a confirmation of the address that somebody wants to join with. */
export async function findByMail(
  rooms: Pick<Rooms, 'db'>,
  organization: Organization,
  key: string,
): Promise<FoundByMail> {
  const found = await findInvitation(rooms, organization, key, 'mail');
  if (found.is === 'unknown') return findConfirmed(rooms, organization, key);
  if (found.is !== 'open') return found;
  const { invitation } = found;
  return { is: 'open', address: invitation.email ?? '', invitation, confirmationId: undefined };
}

async function findConfirmed(
  { db }: Pick<Rooms, 'db'>,
  { id, directory }: Organization,
  key: string,
): Promise<FoundByMail> {
  const confirmation = await confirmationByKey(db, key);
  if (confirmation === undefined) return { is: 'unknown' };
  if (confirmation.organization_id !== id) return { is: 'elsewhere' };
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
  const standing = invitation === undefined ? 'revoked' : standingOf(directory, invitation);
  return standing === 'open' ? { ...open, invitation } : { is: standing };
}
