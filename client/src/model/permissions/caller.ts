import type { GroupSettingValue } from '../../calls/types.ts';
import type { Organization, OrganizationPermission } from '../organization.ts';
import type { Account } from '../own/account.ts';
import type { Groups } from '../people/groups.ts';
import { SYSTEM_GROUPS } from '../people/roles.ts';
import { ALLOWED, type PermissionResult, refused } from './permission-result.ts';
import { GUEST_ORGANIZATION_PERMISSIONS } from './permission-table.ts';

/** Decides about the account of this client: its role, its groups, and the permissions of the organization. */
export class Caller {
  readonly account: Account;
  readonly #organization: Organization;
  readonly #groups: Groups;

  constructor(account: Account, organization: Organization, groups: Groups) {
    this.account = account;
    this.#organization = organization;
    this.#groups = groups;
  }

  /** Whether the account may do what people with an account can, except guests. */
  needsMember(): PermissionResult {
    if (this.account.userId === undefined) return refused('spectator');
    if (this.account.isGuest) return refused('guest');
    return this.account.isBot ? refused('bot') : ALLOWED;
  }

  needsRole(role: 'owner' | 'administrator'): PermissionResult {
    if (this.account.userId === undefined) return refused('spectator');
    const has = role === 'owner' ? this.account.isOwner : this.account.isAdministrator;
    return has ? ALLOWED : refused(role);
  }

  /** Whether the organization grants this permission. */
  needs(name: OrganizationPermission): PermissionResult {
    const value = this.#organization.settings[name];
    return value === undefined ? refused('hidden') : this.granted(value, GUEST_ORGANIZATION_PERMISSIONS.has(name));
  }

  /**
   * Whether the value of a permission includes the account.
   * @param guestsCan whether guests can have the permission
   */
  granted(value: GroupSettingValue, guestsCan: boolean): PermissionResult {
    const { userId, isGuest } = this.account;
    if (userId === undefined) return refused('spectator');
    if (isGuest && !guestsCan) return refused('guest');
    if (this.#groups.includes(value, userId)) return ALLOWED;
    return refused(this.#becomesFullMember(value) ? 'waiting period' : 'permission', { allowedTo: value });
  }

  /** Whether the value includes full members, and the account is a member who is too new for that. */
  #becomesFullMember(value: GroupSettingValue): boolean {
    const fullMembers = this.#groups.byName(SYSTEM_GROUPS.fullMembers);
    if (this.account.role !== 400 || fullMembers === undefined) return false;
    const groupIds = typeof value === 'number' ? [value] : value.direct_subgroups;
    return groupIds.some((id) => this.#groups.contains(id, fullMembers.id));
  }
}
