/** The account of a person whose address another system has verified (a directory, single sign-on), and the creation of a new one. */
import { deactivatedUser } from '@heddle/api/errors.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { claimAccount } from '../../domain/credentials/claiming.ts';
import {
  AddressRefusedError,
  accept,
  EndedError,
  invitationFor,
  type Newcomer,
} from '../../domain/joining/joining/accepting.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { KnownPerson } from './directory-login.ts';

/**
 * The account with the person's address. Without one, it creates an account if the person has an invitation or the organization requires
 * none; otherwise it returns undefined. The role, channels and groups of an invitation apply in the same commit.
 * @param linkKey the key of the invitation link that the person opened
 * @throws ApiError `USER_DEACTIVATED`; `BAD_REQUEST`: the name or address is not valid for an account
 */
export async function accountOf(
  app: Pick<AppContext, 'db' | 'address' | 'queues'>,
  organization: Organization,
  person: KnownPerson & Pick<Newcomer, 'languages'>,
  linkKey?: string,
): Promise<UserRecord | undefined> {
  const known = accountAt(organization, person.email);
  if (known !== undefined) return claimAccount(app, organization, known, 'may be known');
  try {
    const invitation = await invitationFor(app, organization, { email: person.email, linkKey });
    // A concurrent login of the person may just have used the invitation up.
    if (invitation === undefined && isForInvited(organization)) return await accountNow(organization, person.email);
    return await accept(app, organization, { invitationId: invitation?.id }, person);
  } catch (error) {
    // Two concurrent logins of one person: the other one has created the account.
    const made = await accountNow(organization, person.email);
    if (made !== undefined) return made;
    if (error instanceof EndedError || error instanceof AddressRefusedError) return undefined;
    throw error;
  }
}

function accountAt({ directory }: Organization, email: string): UserRecord | undefined {
  const user = directory.userByEmail(email);
  // The API address of an account is not a verified address.
  if (user === undefined || user.isBot || user.deliveryEmail.toLowerCase() !== email.toLowerCase()) return undefined;
  if (!user.isActive) throw deactivatedUser();
  return user;
}

/** The same after everything that is committed by now. */
async function accountNow(organization: Organization, email: string): Promise<UserRecord | undefined> {
  await organization.catchUp();
  return accountAt(organization, email);
}

function isForInvited({ directory }: Organization): boolean {
  return organizationSetting(directory, 'invite_required');
}
