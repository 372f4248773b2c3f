import type { EventOfType, InitialState, ProfileData } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';
import { PeopleOrder } from './people-order.ts';
import { PeopleSearch, type PeopleSearchOptions } from './people-search.ts';
import { isPlaceholder, type UserRecord, userRecord } from './user-record.ts';

type Update = Extract<EventOfType<'realm_user'>, { readonly op: 'update' }>['person'];

/**
 * The people and bots that this account can access, active or not, and the server's own bots.
 *
 * Invariants:
 * - A user without a record is inaccessible, or the client did not fetch `realm_user`.
 * - The indexes are made when they are first used. From then on, each event updates them in logarithmic time.
 */
export class Users {
  /** Notified when a user comes, goes, or changes in any field. */
  readonly changes = new Subject();
  /** The same for one user. */
  readonly changesOf = new KeyedSubject<number>();
  readonly #users = new Map<number, UserRecord>();
  #byAddress: Map<string, number> | undefined;
  #byName: Map<string, Set<number>> | undefined;
  #search: PeopleSearch | undefined;
  #order: PeopleOrder | undefined;
  #activePeople = 0;

  constructor(state: InitialState) {
    for (const user of state.realm_users ?? []) if (!isPlaceholder(user)) this.#read(userRecord(user, true));
    for (const user of state.realm_non_active_users ?? []) this.#read(userRecord(user, false));
    for (const bot of state.cross_realm_bots ?? []) this.#read(userRecord(bot, bot.is_active));
  }

  /** All users by id, in no particular order. */
  get all(): ReadonlyMap<number, UserRecord> {
    return this.#users;
  }

  /** The number of active people, without bots. */
  get activePeople(): number {
    return this.#activePeople;
  }

  get(userId: number): UserRecord | undefined {
    return this.#users.get(userId);
  }

  /** Finds the user with this address for the API, or with this real address. Case does not matter. */
  byAddress(address: string): UserRecord | undefined {
    if (this.#byAddress === undefined) {
      this.#byAddress = new Map();
      for (const user of this.#users.values()) this.#addAddresses(user);
    }
    const id = this.#byAddress.get(address.toLowerCase());
    return id === undefined ? undefined : this.#users.get(id);
  }

  /** Finds the users with this name. Names are not unique, and case does not matter. */
  byName(name: string): UserRecord[] {
    if (this.#byName === undefined) {
      this.#byName = new Map();
      for (const user of this.#users.values()) this.#addName(user);
    }
    return [...(this.#byName.get(name.toLowerCase()) ?? [])].flatMap((id) => this.#users.get(id) ?? []);
  }

  /** Searches for a typeahead. `PeopleSearch` explains the order. */
  search(query: string, options: PeopleSearchOptions): UserRecord[] {
    this.#search ??= new PeopleSearch(this.#users.values());
    return this.#search.search(query, options);
  }

  /**
   * Makes the index of `search` in advance, while the app is idle. Returns whether it is complete.
   * @param isTimeOver stops the work when it returns true; a further call continues
   */
  prepareSearch(isTimeOver?: () => boolean): boolean {
    this.#search ??= new PeopleSearch(this.#users.values());
    return this.#search.prepare(isTimeOver);
  }

  /** The ids of the active people and bots in the order of their names. The same array until a change of it. */
  get activeByName(): readonly number[] {
    this.#order ??= new PeopleOrder(this.#users.values().filter(isListed));
    return this.#order.ids;
  }

  apply(event: EventOfType<'realm_user'>): void {
    switch (event.op) {
      case 'add':
        if (!isPlaceholder(event.person)) this.#put(userRecord(event.person, event.person.is_active));
        break;
      case 'remove':
        this.#delete(event.person.user_id);
        break;
      case 'update':
        this.#update(event.person);
    }
  }

  #update(person: Update): void {
    const before = this.#users.get(person.user_id);
    if (before !== undefined) this.#put({ ...before, ...changed(before, person) });
  }

  /** Adds a user of the initial state, which no index and no reader knows yet. */
  #read(user: UserRecord): void {
    this.#users.set(user.id, user);
    this.#activePeople += counts(user);
  }

  #put(user: UserRecord): void {
    const before = this.#users.get(user.id);
    this.#users.set(user.id, user);
    this.#activePeople += counts(user) - (before === undefined ? 0 : counts(before));
    this.#reindex(before, user);
    this.changes.changed();
    this.changesOf.changed(user.id);
  }

  #delete(userId: number): void {
    const before = this.#users.get(userId);
    if (before === undefined) return;
    this.#users.delete(userId);
    this.#activePeople -= counts(before);
    this.#reindex(before, undefined);
    this.changes.changed();
    this.changesOf.changed(userId);
  }

  /** Updates the indexes that exist. */
  #reindex(before: UserRecord | undefined, after: UserRecord | undefined): void {
    if (before?.email !== after?.email || before?.deliveryEmail !== after?.deliveryEmail) {
      for (const address of before === undefined ? [] : addressesOf(before)) {
        if (this.#byAddress?.get(address) === before?.id) this.#byAddress?.delete(address);
      }
      if (after !== undefined) this.#addAddresses(after);
    }
    if (before?.name !== after?.name) {
      if (before !== undefined) this.#byName?.get(before.name.toLowerCase())?.delete(before.id);
      if (after !== undefined) this.#addName(after);
    }
    if (before?.name !== after?.name || isListed(before) !== isListed(after)) {
      if (isListed(before)) this.#order?.remove(before);
      if (isListed(after)) this.#order?.add(after);
    }
    if (before !== undefined && after !== undefined) this.#search?.replace(before, after);
    else if (before !== undefined) this.#search?.remove(before.id);
    else if (after !== undefined) this.#search?.add(after);
  }

  #addAddresses(user: UserRecord): void {
    for (const address of addressesOf(user)) this.#byAddress?.set(address, user.id);
  }

  #addName(user: UserRecord): void {
    const name = user.name.toLowerCase();
    const ids = this.#byName?.get(name);
    if (ids === undefined) this.#byName?.set(name, new Set([user.id]));
    else ids.add(user.id);
  }

  /** The content in comparable form. Profiles are compared by `ProfileFields`, which knows the removed fields. */
  plain(): object {
    return [...this.#users.values()]
      .sort((a, b) => a.id - b.id)
      .map(({ profileData: _, ...user }) => ({
        ...user,
        // Clients can compute the Gravatar URL of a visible address, whether or not the server sent it.
        avatarUrl: user.deliveryEmail === user.email ? null : user.avatarUrl,
      }));
  }
}

/** The fields of a record that an event changes. */
function changed({ profileData }: UserRecord, person: Update): Partial<UserRecord> {
  if ('is_active' in person) return { isActive: person.is_active };
  if ('role' in person) return { role: person.role };
  if ('timezone' in person) return { timezone: person.timezone };
  if ('full_name' in person) return { name: person.full_name };
  if ('new_email' in person) return { email: person.new_email };
  if ('delivery_email' in person) return { deliveryEmail: person.delivery_email };
  if ('avatar_url' in person) return { avatarUrl: person.avatar_url, avatarVersion: person.avatar_version };
  if ('bot_owner_id' in person) return { botOwnerId: person.bot_owner_id };
  if ('custom_profile_field' in person) return { profileData: withValue(profileData, person.custom_profile_field) };
  // A newer server can change fields that this client does not know.
  return {};
}

type ProfileValue = Extract<Update, { readonly custom_profile_field: unknown }>['custom_profile_field'];

function withValue(profile: ProfileData, { id, value, rendered_value }: ProfileValue): ProfileData {
  const { [id]: _, ...others } = profile;
  if (value === null) return others;
  return { ...others, [id]: { value, ...(rendered_value !== undefined && { rendered_value }) } };
}

function addressesOf({ email, deliveryEmail }: UserRecord): string[] {
  return deliveryEmail === null ? [email.toLowerCase()] : [email.toLowerCase(), deliveryEmail.toLowerCase()];
}

/** Whether lists of the organization's users show this one. */
function isListed(user: UserRecord | undefined): user is UserRecord {
  return user?.isActive === true && !user.isSystemBot;
}

function counts({ isActive, isBot }: UserRecord): number {
  return Number(isActive && !isBot);
}
