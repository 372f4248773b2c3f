import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';
import { CHANNEL_LISTS } from './fold-channels.ts';
import { joined, left } from './fold-lists.ts';

/** The properties of a user that an event may change. */
const TOLD = [
  'full_name',
  'new_email',
  'delivery_email',
  'avatar_source',
  'avatar_url',
  'avatar_url_medium',
  'avatar_version',
  'bot_owner_id',
];

/**
 * Applies events about users, groups and permissions, as a client does. A part of `Picture` (fold.ts), whose state it
 * changes.
 */
export class PeopleOfPicture {
  readonly #state: Json;
  readonly #ownId: number;
  readonly #wantsStandIns: boolean;
  #hasNewRole = false;
  /** Users who became accessible since. The client does not know the status that they had set before. */
  readonly newlyKnown = new Set<number>();

  /** @param wantsStandIns whether the client receives placeholders for inaccessible users */
  constructor(state: Json, ownId: number, wantsStandIns: boolean) {
    this.#state = state;
    this.#ownId = ownId;
    this.#wantsStandIns = wantsStandIns;
  }

  changeUsers({ op, person }: Json): void {
    const state = this.#state;
    if (op === 'add') {
      const { is_active, ...listed } = person;
      assert.equal(is_active, true);
      const known = state.realm_users.findIndex((one: Json) => one.user_id === person.user_id);
      assert(known < 0 || isStandIn(state.realm_users[known]), 'the user is new to the client');
      if (known >= 0) state.realm_users.splice(known, 1);
      state.realm_users.push(listed);
      if (!isStandIn(person)) this.newlyKnown.add(person.user_id);
      return;
    }
    if (op === 'remove') {
      this.#lose(person);
      return;
    }
    assert(op === 'update', `realm_user, op ${op}`);
    const { user_id, is_active, role, timezone, email, custom_profile_field: value, ...told } = person;
    assert(
      Object.keys(told).every((name) => TOLD.includes(name)),
      `a field that nobody knows of: ${JSON.stringify(person)}`,
    );
    this.#changeFields(user_id, told);
    if (value !== undefined) this.#changeProfile(user_id, value);
    if (timezone !== undefined) this.#changeTimezone(user_id, email, timezone);
    if (role !== undefined) this.#changeRole(user_id, role);
    if (is_active !== undefined) this.#changeActivity(user_id, is_active);
  }

  /** Removes the user, and what the client knows of them. */
  #lose({ user_id, full_name }: Json): void {
    const state = this.#state;
    const { email } = this.#user(user_id);
    state.realm_users = state.realm_users.filter((one: Json) => one.user_id !== user_id);
    if (this.#wantsStandIns) state.realm_users.push({ user_id, full_name });
    for (const name of ['presences', 'user_status']) {
      for (const key of [user_id, email]) if (state[name] !== undefined) delete state[name][key];
    }
  }

  /** Removes the presence and status of users who became accessible since, which the client cannot know. */
  forgetAttendance(newlyKnown: ReadonlySet<number>): void {
    const state = this.#state;
    for (const { user_id, email } of state.realm_users ?? []) {
      if (!newlyKnown.has(user_id)) continue;
      for (const name of ['presences', 'user_status']) {
        for (const key of [user_id, email]) if (state[name] !== undefined) delete state[name][key];
      }
    }
  }

  #changeFields(user_id: number, { new_email, ...told }: Json): void {
    const state = this.#state;
    const changed = { ...told, ...(new_email !== undefined && { email: new_email }) };
    const { avatar_source, avatar_url_medium, ...ofAll } = changed;
    const user = this.#user(user_id);
    // The state of older clients has presences by email address.
    if (new_email !== undefined && state.presences?.[user.email] !== undefined) {
      const { [user.email]: presence, ...others } = state.presences;
      state.presences = { ...others, [new_email]: presence };
    }
    Object.assign(user, ofAll);
    if (user_id !== this.#ownId) return;
    for (const [name, value] of Object.entries(changed)) if (name in state) state[name] = value;
  }

  #changeProfile(user_id: number, { id, ...told }: Json): void {
    const { profile_data } = this.#user(user_id);
    if (told.value === null) delete profile_data[id];
    else profile_data[id] = told;
  }

  #user(user_id: number): Json {
    const { realm_users, realm_non_active_users } = this.#state;
    const user = [...realm_users, ...realm_non_active_users].find((one: Json) => one.user_id === user_id);
    assert(user !== undefined, 'the client knows the user');
    return user;
  }

  /** Values of removed fields are removed, too. */
  changeFields(fields: readonly Json[]): void {
    const state = this.#state;
    if (state.custom_profile_fields !== undefined) state.custom_profile_fields = structuredClone(fields);
    const known = new Set(fields.map(({ id }) => String(id)));
    for (const { profile_data = {} } of [...(state.realm_users ?? []), ...(state.realm_non_active_users ?? [])]) {
      for (const id of Object.keys(profile_data)) if (!known.has(id)) delete profile_data[id];
    }
  }

  get hasNewRole(): boolean {
    return this.#hasNewRole;
  }

  forgetAddresses(): void {
    const state = this.#state;
    for (const user of [...(state.realm_users ?? []), ...(state.realm_non_active_users ?? [])]) {
      for (const name of ['delivery_email', 'avatar_url']) delete user[name];
    }
  }

  #changeActivity(user_id: number, is_active: boolean): void {
    const state = this.#state;
    const [from, to] = is_active
      ? ['realm_non_active_users', 'realm_users']
      : ['realm_users', 'realm_non_active_users'];
    const user = state[from].find((one: Json) => one.user_id === user_id);
    assert(user !== undefined, 'the client knows the user');
    state[from] = state[from].filter((one: Json) => one !== user);
    state[to].push(user);
    // If the user is in the list again, the client receives an event.
    if (is_active) return;
    for (const group of state.realm_user_groups ?? []) {
      group.members = group.members.filter((id: number) => id !== user_id);
    }
    this.forgetInPermissions((id) => id === user_id);
  }

  forgetInPermissions(isGone: (userId: number) => boolean): void {
    const state = this.#state;
    const channels = CHANNEL_LISTS.flatMap((name) => state[name] ?? []);
    for (const holder of [state, ...(state.realm_user_groups ?? []), ...channels]) {
      for (const setting of Object.values<Json>(holder)) {
        if (!Array.isArray(setting?.direct_members)) continue;
        setting.direct_members = setting.direct_members.filter((id: number) => !isGone(id));
      }
    }
  }

  #changeTimezone(user_id: number, email: string, timezone: string): void {
    const user = this.#state.realm_users.find((one: Json) => one.user_id === user_id);
    assert(user !== undefined, 'the client knows the user');
    assert.equal(user.email, email);
    user.timezone = timezone;
  }

  /** Deactivated accounts can get another role, too. */
  #changeRole(user_id: number, role: number): void {
    const user = this.#user(user_id);
    if (user_id === this.#ownId && user.role <= 200 !== role <= 200) delete this.#state.realm_bots;
    const is = { is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 };
    Object.assign(user, { role, ...is });
    if (user_id !== this.#ownId) return;
    this.#hasNewRole = true;
    Object.assign(this.#state, { ...is, is_moderator: role === 300 });
    this.weighPermissions();
  }

  /**
   * A user who becomes an administrator receives all bots only with a new registration, and one who stops being one
   * keeps them until then.
   */
  changeBots({ op, bot }: Json): void {
    const bots: Json[] | undefined = this.#state.realm_bots;
    if (bots === undefined) return;
    const known = bots.find((one) => one.user_id === bot.user_id);
    if (op === 'add') {
      assert(known === undefined, 'the bot is new to the client');
      bots.push(structuredClone(bot));
      return;
    }
    assert(known !== undefined, 'the client knows the bot');
    if (op === 'update') Object.assign(known, structuredClone(bot));
    else if (op === 'delete') bots.splice(bots.indexOf(known), 1);
    else assert.fail(`realm_bot, op ${op}`);
  }

  changeGroup({ op, group_id, user_ids, direct_subgroup_ids, group: created, data }: Json): void {
    const groups = this.#state.realm_user_groups;
    if (op === 'add') {
      assert(!groups.some((one: Json) => one.id === created.id), 'the group is new to the client');
      groups.push(structuredClone(created));
      this.weighPermissions();
      return;
    }
    const group = groups.find((one: Json) => one.id === group_id);
    assert(group !== undefined, 'the client knows the group that changes');
    switch (op) {
      case 'add_members':
        group.members = joined(group.members, user_ids);
        break;
      case 'remove_members':
        group.members = left(group.members, user_ids);
        break;
      case 'add_subgroups':
        group.direct_subgroup_ids = joined(group.direct_subgroup_ids, direct_subgroup_ids);
        break;
      case 'remove_subgroups':
        group.direct_subgroup_ids = left(group.direct_subgroup_ids, direct_subgroup_ids);
        break;
      case 'update':
        Object.assign(group, structuredClone(data));
        break;
      case 'remove':
        groups.splice(groups.indexOf(group), 1);
        break;
      default:
        assert.fail(`user_group, op ${op}`);
    }
    this.weighPermissions();
  }

  /** Computes the permissions for older clients from the user's role and groups. */
  weighPermissions(): void {
    const state = this.#state;
    if (state.can_create_streams === undefined || state.realm_user_groups === undefined) return;
    const may = (name: string) => !state.is_guest && this.#isGranted(state[`realm_can_${name}_group`]);
    const createsPublic = may('create_public_channel');
    const createsPrivate = may('create_private_channel');
    const hasSpectatorAccess = state.server_web_public_streams_enabled && state.realm_enable_spectator_access;
    const createsWebPublic = hasSpectatorAccess && may('create_web_public_channel');
    Object.assign(state, {
      can_create_streams: createsPublic || createsPrivate || createsWebPublic,
      can_create_public_streams: createsPublic,
      can_create_private_streams: createsPrivate,
      can_create_web_public_streams: createsWebPublic,
      can_subscribe_other_users: may('add_subscribers'),
      can_invite_others_to_realm: may('invite_users'),
    });
  }

  #isGranted(setting: Json): boolean {
    if (typeof setting !== 'number') {
      return (
        setting.direct_members.includes(this.#ownId) ||
        setting.direct_subgroups.some((id: number) => this.#isGranted(id))
      );
    }
    const group = this.#state.realm_user_groups.find((one: Json) => one.id === setting);
    // A deactivated group has no members, and some clients do not receive it.
    if (group === undefined || group.deactivated) return false;
    return group.members.includes(this.#ownId) || group.direct_subgroup_ids.some((id: number) => this.#isGranted(id));
  }
}

/** Whether this is a placeholder for an inaccessible user. */
export function isStandIn({ full_name }: Json): boolean {
  return full_name === 'Unknown user';
}
