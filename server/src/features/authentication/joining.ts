/** Which account somebody has whose address another system vouches for (a directory, single sign-on), and who gets a new one. */
import { deactivatedUser } from '@heddle/api/errors.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { createUser } from '../users/actions.ts';
import type { KnownPerson } from './directory-login.ts';

/**
 * The account with the person's address; a new one where the organization takes whoever comes, and undefined where it needs an
 * invitation.
 * @throws ApiError `USER_DEACTIVATED`; `BAD_REQUEST`: no name or address that an account can have
 */
export async function accountOf(organization: Organization, person: KnownPerson): Promise<UserRecord | undefined> {
  const known = accountAt(organization, person.email);
  if (known !== undefined) return known;
  if (!mayJoin(organization)) return undefined;
  try {
    return await createUser(organization, person);
  } catch (error) {
    // Whoever logs in twice at once has been there before.
    const made = accountAt(organization, person.email);
    if (made === undefined) throw error;
    return made;
  }
}

function accountAt({ directory }: Organization, email: string): UserRecord | undefined {
  const user = directory.userByEmail(email);
  // The API's address of another account is none that anybody vouches for.
  if (user === undefined || user.isBot || user.deliveryEmail.toLowerCase() !== email.toLowerCase()) return undefined;
  if (!user.isActive) throw deactivatedUser();
  return user;
}

/** Whether somebody whose address is known to be theirs gets an account without having been invited. */
function mayJoin({ directory }: Organization): boolean {
  return !organizationSetting(directory, 'invite_required');
}
