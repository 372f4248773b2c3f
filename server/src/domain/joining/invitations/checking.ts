/**
 * Checks who may invite with which role, channels and groups (interface document, "POST /invites/multiuse"; public
 * reference: "Invite new users").
 */
import { badRequest, unauthorizedPrincipal } from '@heddle/api/errors.ts';
import type { OrganizationPermission } from '@heddle/api/permissions.ts';
import { channelRefusal, contentAccess, knownChannel } from '../../../access/channels.ts';
import { accessGroup, groupRefusal } from '../../../access/groups.ts';
import { hasPermission } from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import { type ChannelRecord, type GroupRecord, Role, type UserRecord } from '../../../directory/records.ts';

/** What the invited user starts with. */
export interface Invited {
  readonly role: Role;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly withDefaults: boolean;
  /** null: the organization's text; '': no text. */
  readonly welcomeText: string | null;
  /** null: never expires; undefined: the server's default. */
  readonly expiresInMinutes: number | null | undefined;
}

/** @throws ApiError `BAD_REQUEST`: guests and bots cannot use invitations */
export function checkMayUseInvitations(caller: UserRecord): void {
  if (caller.role >= Role.guest) throw badRequest('Not allowed for guest users');
  if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
}

/**
 * @param permission the permission for this kind of invitation
 * @throws ApiError `BAD_REQUEST`, `UNAUTHORIZED_PRINCIPAL`
 */
export function checkMayInvite(
  directory: Directory,
  caller: UserRecord,
  permission: OrganizationPermission,
  invited: Invited,
): void {
  checkMayUseInvitations(caller);
  if (!hasPermission(directory, caller, permission)) throw badRequest('Insufficient permission');
  checkRole(caller, invited.role);
  for (const id of invited.channelIds) checkChannel(directory, caller, id);
  for (const id of invited.groupIds) {
    if (accessGroup(directory, caller, id, 'add-members').isDeactivated) throw badRequest('User group is deactivated.');
  }
  if (invited.welcomeText !== null && caller.role > Role.administrator) {
    throw badRequest('Must be an organization administrator');
  }
}

/** Callers can invite only to their own role or a weaker one (interface document, "POST /invites/multiuse"). */
function checkRole(caller: UserRecord, role: Role): void {
  if (role >= caller.role) return;
  throw badRequest(role === Role.owner ? 'Must be an organization owner' : 'Must be an organization administrator');
}

function checkChannel(directory: Directory, caller: UserRecord, id: number): void {
  const channel = knownChannel(directory, caller, id);
  if (channel === undefined || channel.isArchived || contentAccess(directory, caller, channel) === 'none') {
    throw badRequest(`Invalid channel ID ${id}. No invites were sent.`);
  }
  if (channel.isDefault || channelRefusal(directory, caller, channel, 'add-subscribers') === undefined) return;
  throw badRequest('You do not have permission to subscribe other users to channels.');
}

/** The same for an invitation that is used: whether its inviter can still subscribe others to the channel. */
export function mayStillSubscribe(directory: Directory, inviter: UserRecord, channel: ChannelRecord): boolean {
  if (channel.isArchived || contentAccess(directory, inviter, channel) === 'none') return false;
  return channel.isDefault || channelRefusal(directory, inviter, channel, 'add-subscribers') === undefined;
}

/** Whether the inviter can still add others to the group. */
export function mayStillAddTo(directory: Directory, inviter: UserRecord, group: GroupRecord): boolean {
  return !group.isDeactivated && groupRefusal(directory, inviter, group, 'add-members') === undefined;
}

/**
 * Checks that the caller can manage this invitation.
 * @throws ApiError `BAD_REQUEST`, `UNAUTHORIZED_PRINCIPAL`
 */
export function checkMayManage(caller: UserRecord, { inviter_id, role }: { inviter_id: number; role: number }): void {
  if (inviter_id === caller.id) return;
  if (role === Role.owner && caller.role !== Role.owner) throw unauthorizedPrincipal('Must be an organization owner');
  if (caller.role > Role.administrator) throw badRequest('Must be an organization administrator');
}

/** Anyone who knows a reusable link can use it. So an administrator who knew one of an owner could become an owner. */
export function mayKnow(
  caller: UserRecord,
  { email, role }: { readonly email: string | null; readonly role: number },
): boolean {
  return email !== null || role >= caller.role;
}
