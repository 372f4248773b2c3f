/** Changes of accounts by administrators (interface document, `PATCH /users/{user_id}`). */
import { badRequest } from '@heddle/api/errors.ts';
import { roleRefusal } from '../../../access/setting-changes.ts';
import type { Change } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { changeProfile, type RequestedProfileValue } from '../../users/profile-fields/values.ts';
import { changeAddress } from '../../users/users/addresses.ts';
import { freeEmail } from '../../users/users/free-names.ts';
import { giveRole } from './actions.ts';
import { renameUser } from './changes.ts';
import { hasPower } from './powers.ts';

/** The changes that a request asks for. undefined leaves a property as it is. */
export interface UserEdit {
  readonly fullName: string | undefined;
  readonly role: Role | undefined;
  readonly profile: readonly RequestedProfileValue[];
  readonly newEmail: string | undefined;
}

/**
 * Applies all given changes or none. Values that stay the same are skipped.
 * @param render renders markup as HTML
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`
 */
export async function editUser(
  change: Change,
  caller: UserRecord,
  target: UserRecord,
  { fullName, role, profile, newEmail, render }: UserEdit & { readonly render: (text: string) => string },
): Promise<void> {
  if (newEmail !== undefined) await checkMayChangeAddresses(change, caller);
  let user = target;
  if (role !== undefined && role !== user.role) {
    checkMayGive(caller, user, role);
    user = await giveRole(change, user.id, role);
  }
  if (fullName !== undefined && fullName.trim() !== '') user = await renameUser(change, user, fullName);
  if (profile.length > 0) await changeProfile(change, { caller, userId: user.id, render }, profile);
  if (newEmail === undefined) return;
  const address = freeEmail(change.directory, newEmail, user.id);
  if (address !== user.deliveryEmail) await changeAddress(change, user, address);
}

async function checkMayChangeAddresses({ db, directory }: Change, caller: UserRecord): Promise<void> {
  if (caller.role === Role.owner && (await hasPower(db, directory.organization.id, caller.id, 'change-addresses')))
    return;
  throw badRequest('User not authorized to change user emails');
}

function checkMayGive(caller: UserRecord, user: UserRecord, role: Role): void {
  const refusal = role === Role.owner || user.role === Role.owner ? roleRefusal(caller, 'owner') : undefined;
  if (refusal !== undefined) throw refusal;
}
