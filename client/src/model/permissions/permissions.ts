import type { Role } from '../../calls/types.ts';
import type { Subscribable } from '../changes.ts';
import type { Channels } from '../channels/channels.ts';
import { merged } from '../merged.ts';
import type { Organization, OrganizationPermission } from '../organization.ts';
import type { Account } from '../own/account.ts';
import type { Groups } from '../people/groups.ts';
import { ROLES } from '../people/roles.ts';
import type { UserRecord } from '../people/user-record.ts';
import type { Users } from '../people/users.ts';
import { Caller } from './caller.ts';
import { ChannelPermissions } from './channel-permissions.ts';
import { GroupPermissionChecks } from './group-permissions.ts';
import { MessagePermissions } from './message-permissions.ts';
import { ALLOWED, all, any, type PermissionResult, refused } from './permission-result.ts';
import { OWNER_SETTINGS } from './permission-table.ts';

/** The parts that permissions depend on. */
export interface PermissionSources {
  readonly account: Account;
  readonly organization: Organization;
  readonly groups: Groups;
  readonly channels: Channels;
  readonly users: Users;
}

/** The types of bots. */
export const BOT_TYPES = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3 } as const;

/**
 * What the user may do, and why not. The server decides; this only says in advance what it will decide, so that the app
 * offers nothing that fails.
 */
export class Permissions {
  /** Can notify of changes that leave all permissions as they are. */
  readonly changes: Subscribable;
  readonly channels: ChannelPermissions;
  readonly groups: GroupPermissionChecks;
  readonly messages: MessagePermissions;
  readonly #caller: Caller;
  readonly #organization: Organization;

  constructor(sources: PermissionSources) {
    const { account, organization, groups, channels, users } = sources;
    this.#caller = new Caller(account, organization, groups);
    this.#organization = organization;
    this.channels = new ChannelPermissions(this.#caller, organization, groups, channels, users);
    this.groups = new GroupPermissionChecks(this.#caller);
    this.messages = new MessagePermissions(this.#caller, organization, sources, this.channels);
    this.changes = merged(account.changes, organization.changes, groups.changes, channels.changes, users.changes);
  }

  /** Whether the organization grants this permission. The methods below also check the other conditions. */
  has(name: OrganizationPermission): PermissionResult {
    return this.#caller.needs(name);
  }

  /** Whether the user may change this setting of the organization, for example `name` or `can_create_groups`. */
  changeOrganization(setting: string): PermissionResult {
    return this.#caller.needsRole(OWNER_SETTINGS.has(setting) ? 'owner' : 'administrator');
  }

  /** Whether the user may invite people by mail or by a link. */
  invite(by: 'mail' | 'link'): PermissionResult {
    return all(
      () => this.#caller.needsMember(),
      () => this.#caller.needs(by === 'mail' ? 'can_invite_users_group' : 'create_multiuse_invite_group'),
    );
  }

  /** Whether the user may invite people who get this role: their own or a weaker one. */
  inviteAs(role: Role): PermissionResult {
    if (role >= (this.#caller.account.role ?? Infinity)) return ALLOWED;
    return refused(role === ROLES.owner ? 'owner' : 'administrator');
  }

  addCustomEmoji(): PermissionResult {
    return this.#caller.needs('can_add_custom_emoji_group');
  }

  /** @param type one of `BOT_TYPES` */
  createBot(type: number): PermissionResult {
    const canWrite = () => this.#caller.needs('can_create_write_only_bots_group');
    const canAll = () => this.#caller.needs('can_create_bots_group');
    return all(
      () => this.#caller.needsMember(),
      () => (type === BOT_TYPES.incomingWebhook ? any(canAll, canWrite) : canAll()),
    );
  }

  /** Whether the user may change the bot, or deactivate it. */
  manageBot(bot: UserRecord): PermissionResult {
    return bot.botOwnerId === this.#caller.account.userId ? ALLOWED : this.#caller.needsRole('administrator');
  }

  /** Whether the user may change the name and the profile of another user, or reactivate them. */
  manageUser(_: UserRecord): PermissionResult {
    return this.#caller.needsRole('administrator');
  }

  deactivateUser(user: UserRecord): PermissionResult {
    return this.#caller.needsRole(user.role === ROLES.owner ? 'owner' : 'administrator');
  }

  giveRole(user: UserRecord, role: Role): PermissionResult {
    return this.#caller.needsRole(role === ROLES.owner || user.role === ROLES.owner ? 'owner' : 'administrator');
  }

  /** Whether the user may change their own name, address or picture. */
  changeOwn(what: 'name' | 'address' | 'picture'): PermissionResult {
    if (this.#caller.account.userId === undefined) return refused('spectator');
    const { settings, server } = this.#organization;
    const isDisabled = {
      name: settings.name_changes_disabled || server.name_changes_disabled,
      address: settings.email_changes_disabled,
      picture: settings.avatar_changes_disabled || server.avatar_changes_disabled,
    }[what];
    return isDisabled && !this.#caller.account.isAdministrator ? refused('disabled') : ALLOWED;
  }
}
