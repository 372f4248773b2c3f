/** Which account somebody has whose address another system vouches for (a directory, single sign-on), and who gets a new one. */
import { deactivatedUser } from '@heddle/api/errors.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { AddressRefusedError, accept, EndedError, invitationFor } from '../joining/actions.ts';
import type { Rooms } from '../rooms.ts';
import { claimAccount } from './claiming.ts';
import type { KnownPerson } from './directory-login.ts';

/**
 * The account with the person's address; a new one for who comes with an invitation, or where the organization takes whoever comes; undefined
 * for others. What an invitation says of role, channels and groups holds, in one commit with its use.
 * @param linkKey of the invitation link that they opened
 * @throws ApiError `USER_DEACTIVATED`; `BAD_REQUEST`: no name or address that an account can have
 */
export async function accountOf(
  rooms: Pick<Rooms, 'db' | 'address' | 'queues'>,
  organization: Organization,
  person: KnownPerson,
  linkKey?: string,
): Promise<UserRecord | undefined> {
  const known = accountAt(organization, person.email);
  if (known !== undefined) return claimAccount(rooms, organization, known, 'may be known');
  try {
    const invitation = await invitationFor(rooms, organization, { email: person.email, linkKey });
    if (invitation === undefined && isForInvited(organization)) return undefined;
    return await accept(rooms, organization, { invitationId: invitation?.id }, person);
  } catch (error) {
    // Whoever logs in twice at once has been there before.
    const made = accountAt(organization, person.email);
    if (made !== undefined) return made;
    if (error instanceof EndedError || error instanceof AddressRefusedError) return undefined;
    throw error;
  }
}

function accountAt({ directory }: Organization, email: string): UserRecord | undefined {
  const user = directory.userByEmail(email);
  // The API's address of another account is none that anybody vouches for.
  if (user === undefined || user.isBot || user.deliveryEmail.toLowerCase() !== email.toLowerCase()) return undefined;
  if (!user.isActive) throw deactivatedUser();
  return user;
}

function isForInvited({ directory }: Organization): boolean {
  return organizationSetting(directory, 'invite_required');
}
