import type { Parameters } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/managing-users.ts';
import { badRequest, cannotDeactivateLastUser } from '@heddle/api/errors.ts';
import { accessBot, botPermissionRefusal } from '../../../access/bots.ts';
import { roleRefusal } from '../../../access/setting-changes.ts';
import type { Db, DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change, Organization } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { isMailable } from '../../../mail/mail.ts';
import { checkedPasswordHash, knownOf } from '../../credentials/passwords.ts';
import { type AddressRefusal, addressRules } from '../../texts/address-rules/rules.ts';
import { profileRenderer } from '../../texts/descriptions/descriptions.ts';
import { type RequestedProfileValue, renderAhead } from '../../users/profile-fields/values.ts';
import { isBotNameTaken } from '../../users/users/free-names.ts';
import { userByAddress } from '../../users/users/queries.ts';
import { notifyOfClosing } from '../account-security/closed-account.ts';
import { activeOwners, addUser, deactivateUser } from './actions.ts';
import { editUser } from './editing.ts';
import { hasPower } from './powers.ts';
import { reactivateUser } from './reactivation.ts';
import { greetNewcomer } from './welcome.ts';

/** Endpoints that manage the accounts of other users, and close the own one (public reference: "Users"). */
export function managingRoutes(app: AppContext): readonly HeddleRoute[] {
  /** `find` runs again within the transaction, with the directory of that time. */
  async function edit(
    organization: Organization,
    caller: UserRecord,
    find: (directory: Directory, caller: UserRecord) => UserRecord | undefined,
    { full_name: fullName, role, profile_data, new_email: newEmail }: Changes,
  ) {
    const { directory } = organization;
    const profile = (profile_data ?? []).map(orNone);
    const render = profileRenderer(directory, caller.id, app.address.of(directory.organization.subdomain));
    updatable(caller, find(directory, caller));
    renderAhead(directory, profile, render);
    await organization.transact(caller, 'exclusive', (change, user) => {
      const target = updatable(user, find(change.directory, user));
      return editUser(change, user, target, { fullName, role, profile, newEmail, render });
    });
    return {};
  }

  return [
    route(endpoints.updateUser, {}, ({ parameters, organization, caller }) =>
      edit(organization, caller, (directory) => directory.user(parameters.user_id), parameters),
    ),

    route(endpoints.updateUserByEmail, {}, ({ parameters, organization, caller }) =>
      edit(organization, caller, (directory, user) => userByAddress(directory, user, parameters.email), parameters),
    ),

    route(endpoints.createUser, {}, async ({ parameters, organization, caller }) => {
      await checkMayCreate(app.db, organization, caller);
      const { email, full_name: fullName, password } = parameters;
      const passwordHash = await checkedPasswordHash(password, knownOf(organization, { fullName, email }));
      const user = await organization.transact(caller, 'exclusive', async (change, creator) => {
        await checkMayCreate(change.db, organization, creator);
        const refusal = (await addressRules(change.db, change.directory))(email.trim());
        if (refusal !== undefined) throw badRequest(creationRefusal(refusal, email.trim()));
        const added = await addUser(change, { email, fullName, passwordHash });
        await greetNewcomer(app, change, added);
        return added;
      });
      return { user_id: user.id };
    }),

    route(endpoints.deactivateUser, {}, async ({ parameters, organization, caller }) => {
      const check = (directory: Directory, user: UserRecord) => closable(directory, user, parameters.user_id);
      const target = check(organization.directory, caller);
      await deactivateUser(app, organization, target.id, { caller, check });
      // An empty comment still asks for a mail, without a comment in it.
      const comment = parameters.deactivation_notification_comment?.trim();
      if (comment !== undefined && isMailable(target.deliveryEmail))
        await notifyOfClosing(app, organization.id, { userId: target.id, comment });
      return {};
    }),

    route(endpoints.reactivateUser, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change: Change, user) =>
        reactivateUser(change, reactivatable(change.directory, user, parameters.user_id), user),
      );
      return {};
    }),

    route(endpoints.deactivateOwnUser, {}, async ({ organization, caller }) => {
      if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
      const { users } = organization.directory;
      if (caller.role === Role.owner && activeOwners(users) === 1) throw cannotDeactivateLastUser(true);
      if (!users.values().some((user) => user.isActive && !user.isBot && user.id !== caller.id)) {
        throw cannotDeactivateLastUser(false);
      }
      await deactivateUser(app, organization, caller.id);
      return {};
    }),
  ];
}

type Changes = Pick<Parameters<typeof endpoints.updateUser>, 'full_name' | 'role' | 'profile_data' | 'new_email'>;

/** An empty value removes the stored one. */
function orNone({ id, value }: NonNullable<Changes['profile_data']>[number]): RequestedProfileValue {
  return { id, value: value === null || value.length === 0 ? null : value };
}

/**
 * The account, if the caller is an administrator.
 * @throws ApiError `BAD_REQUEST`
 */
function administrated(caller: UserRecord, user: UserRecord | undefined): UserRecord {
  if (user === undefined) throw badRequest('No such user');
  if (caller.role > Role.administrator) throw badRequest('Insufficient permission');
  return user;
}

/**
 * The account, if the caller can close it.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`
 */
function closable(directory: Directory, caller: UserRecord, userId: number): UserRecord {
  const found = directory.user(userId);
  const target = administrated(caller, found?.isBot ? undefined : found);
  if (!target.isActive) throw badRequest('User is deactivated');
  const refusal = target.role === Role.owner ? roleRefusal(caller, 'owner') : undefined;
  if (refusal !== undefined) throw refusal;
  return target;
}

/**
 * The account, if the caller can reactivate it. For a bot that is its owner too, who could as well create it anew. As in the reference, the
 * caller then needs the permission for that, and the name must be free.
 * @throws ApiError `BAD_REQUEST`
 */
function reactivatable(directory: Directory, caller: UserRecord, id: number): UserRecord {
  const user = directory.user(id);
  if (!user?.isBot) return administrated(caller, user);
  const bot = accessBot(directory, caller, id);
  if (bot.isActive) return bot;
  const refusal = botPermissionRefusal(directory, caller, bot.botType);
  if (refusal !== undefined) throw refusal;
  if (isBotNameTaken(directory, bot.fullName, bot.id)) {
    const words = 'To reactivate this bot, you must rename or deactivate the other one first.';
    throw badRequest(`There is already an active bot named "${bot.fullName}" in this organization. ${words}`);
  }
  return bot;
}

/**
 * The account, if the caller can change it (interface document, "Errors": the code of administrators' operations).
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: no such account
 */
function updatable(caller: UserRecord, user: UserRecord | undefined): UserRecord {
  checkAdministrator(caller);
  if (user === undefined) throw badRequest('No such user');
  return user;
}

/** This endpoint has its own error texts (public reference: "Create a user"). */
function creationRefusal(refusal: AddressRefusal, email: string): string {
  switch (refusal) {
    case 'outside':
      return `Email '${email}' not allowed in this organization`;
    case 'plus':
      return 'Email addresses containing + are not allowed.';
    case 'disposable':
      return 'Disposable email addresses are not allowed in this organization';
  }
}

async function checkMayCreate(db: Db | DbTransaction, organization: Organization, caller: UserRecord): Promise<void> {
  checkAdministrator(caller);
  if (await hasPower(db, organization.id, caller.id, 'create-users')) return;
  throw badRequest('User not authorized to create users');
}

function checkAdministrator(caller: UserRecord): void {
  const refusal = roleRefusal(caller, 'administrator');
  if (refusal !== undefined) throw refusal;
}
