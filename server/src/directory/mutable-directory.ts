import type { LoggedEvent } from '../log/event.ts';
import { AccessHistory } from './access-history.ts';
import { ASPECT_OF, ASPECTS, type Aspect } from './aspects.ts';
import { withKnownSettings } from './channel-settings.ts';
import { Contacts } from './contacts.ts';
import { GroupIndex } from './groups.ts';
import { NameIndex } from './name-index.ts';
import type { AnyPart, DirectoryPart } from './part.ts';
import type { ReadOnly } from './read-only.ts';
import {
  type ChannelRecord,
  type OrganizationRecord,
  Role,
  type SystemBot,
  SystemGroup,
  type UserRecord,
} from './records.ts';
import type { ServerRules } from './server-rules.ts';
import {
  channelDelta,
  deltasOf,
  groupDelta,
  isOwnDelta,
  organizationDelta,
  type PartDelta,
  type StateDelta,
  UnknownDeltaError,
  userDelta,
} from './state-deltas.ts';
import { SubscriptionIndex } from './subscriptions.ts';
import type { HeldSettings } from './user-settings.ts';

const STRICTEST: ServerRules = {
  webPublicChannels: false,
  gravatar: true,
  bigBlueButton: false,
  hostOf: () => 'localhost',
};

/**
 * The state of one organization in memory, as of one event of its log. It is loaded from the database in one snapshot.
 * Then the events that follow are applied to it. Applying events gives the same result as loading again.
 * Only this folder imports this class. All others get a `Directory`, which cannot change it.
 */
export class MutableDirectory {
  #organization: OrganizationRecord;
  readonly #users = new Map<number, UserRecord>();
  readonly #systemBots = new Map<number, UserRecord>();
  readonly #userIdByEmail = new Map<string, number>();
  readonly #usersByName = new NameIndex();
  readonly #channels = new Map<number, ChannelRecord>();
  readonly #channelIdByName = new Map<string, number>();
  readonly subscriptions = new SubscriptionIndex();
  readonly groups = new GroupIndex();
  /** The users whom guests can access through direct conversations. */
  readonly contacts = new Contacts();
  /** The earlier values of everything that decides access. */
  readonly history = new AccessHistory();
  /** The indexes of features. */
  readonly #parts = new Map<object, unknown>();
  readonly #partsByDelta = new Map<string, AnyPart>();
  readonly #versions = new Map<Aspect, number>();
  readonly server: ServerRules;
  #appliedThrough: number;
  #changedAt: number;

  constructor(
    organization: OrganizationRecord,
    appliedThrough: number,
    changedAt: number,
    server: ServerRules = STRICTEST,
    parts: readonly AnyPart[] = [],
  ) {
    this.#organization = organization;
    this.server = server;
    this.groups.fullMembersJoinedThrough = organization.fullMembersJoinedThrough ?? Infinity;
    this.#appliedThrough = appliedThrough;
    this.#changedAt = changedAt;
    for (const aspect of ASPECTS) this.#versions.set(aspect, changedAt);
    for (const part of parts) {
      this.#parts.set(part, part.create());
      for (const kind of part.deltas) this.#partsByDelta.set(kind, part);
    }
  }

  get organization(): OrganizationRecord {
    return this.#organization;
  }

  /** The organization's host name, without a port. */
  get host(): string {
    return this.server.hostOf(this.#organization.subdomain);
  }

  /** Whether guests can access only some users (accessible-users.ts). The setting names the group that can access everybody. */
  get hidesPeople(): boolean {
    const stored = this.#organization.settings.can_access_all_users_group;
    return stored !== undefined && stored !== this.groups.idOf(SystemGroup.everyone);
  }

  /** The last event that was applied. */
  get appliedThrough(): number {
    return this.#appliedThrough;
  }

  /** The last event that changed the directory. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** The last event that changed any of these aspects. It increases only then. */
  version(...aspects: readonly Aspect[]): number {
    let version = 0;
    for (const aspect of aspects) version = Math.max(version, this.#versions.get(aspect) ?? 0);
    return version;
  }

  /** The index of a feature. */
  part<Index, Delta extends PartDelta>(part: DirectoryPart<Index, Delta>): ReadOnly<Index> {
    return this.indexOf(part);
  }

  /** The same, for loading and applying events only. */
  indexOf<Index, Delta extends PartDelta>(part: DirectoryPart<Index, Delta>): Index {
    const index = this.#parts.get(part);
    if (index === undefined) throw new Error(`the directory was loaded without the part of ${part.deltas}`);
    return index as Index;
  }

  /** The organization's accounts: people and their bots. The server's own bots are in `systemBots`. */
  get users(): ReadonlyMap<number, UserRecord> {
    return this.#users;
  }

  /** The server's own bots, by id. */
  get systemBots(): ReadonlyMap<number, UserRecord> {
    return this.#systemBots;
  }

  get channels(): ReadonlyMap<number, ChannelRecord> {
    return this.#channels;
  }

  /** An account of the organization. For the sender of a message use `correspondent`. */
  user(id: number): UserRecord | undefined {
    return this.#users.get(id);
  }

  /** Finds a user by API address or delivery address. Ignores case. */
  userByEmail(email: string): UserRecord | undefined {
    const id = this.#userIdByEmail.get(email.toLowerCase());
    return id === undefined ? undefined : this.#users.get(id);
  }

  /** A user who can send and receive messages and be mentioned: an account, or one of the server's own bots. */
  correspondent(id: number): UserRecord | undefined {
    return this.#users.get(id) ?? this.#systemBots.get(id);
  }

  /** The same by API address or delivery address. Ignores case. */
  correspondentByEmail(email: string): UserRecord | undefined {
    const id = this.#userIdByEmail.get(email.toLowerCase());
    return id === undefined ? undefined : this.correspondent(id);
  }

  /** All correspondents with exactly this full name. Ignores case. */
  correspondentsByName(fullName: string): readonly UserRecord[] {
    return this.#usersByName.get(fullName).flatMap((id) => this.correspondent(id) ?? []);
  }

  /** Undefined if an account already had the bot's address when the server introduced the bot. */
  systemBot(kind: SystemBot): UserRecord | undefined {
    for (const bot of this.#systemBots.values()) if (bot.systemBot === kind) return bot;
    return undefined;
  }

  channel(id: number): ChannelRecord | undefined {
    return this.#channels.get(id);
  }

  channelByName(name: string): ChannelRecord | undefined {
    const id = this.#channelIdByName.get(name.toLowerCase());
    return id === undefined ? undefined : this.#channels.get(id);
  }

  /**
   * Applies the next event, completely or not at all. Events arrive in order and without gaps.
   * @throws UnknownDeltaError
   */
  apply(event: LoggedEvent): void {
    if (event.id !== this.#appliedThrough + 1) {
      throw new Error(`event ${event.id} cannot follow ${this.#appliedThrough} in a directory`);
    }
    const deltas = deltasOf(event);
    for (const delta of deltas) {
      if (!isOwnDelta(delta) && !this.#partsByDelta.has(delta.delta)) throw new UnknownDeltaError(event, delta.delta);
    }
    for (const delta of deltas) {
      const aspect = isOwnDelta(delta) ? this.#applyDelta(delta, event) : this.#applyToPart(delta);
      if (aspect !== undefined) this.#versions.set(aspect, event.id);
    }
    this.#appliedThrough = event.id;
    if (event.deltas !== undefined) this.#changedAt = event.id;
  }

  #applyToPart(delta: PartDelta): Aspect | undefined {
    const part = this.#partsByDelta.get(delta.delta);
    if (part === undefined) return undefined;
    part.apply(this.#parts.get(part), delta);
    const renewed = part.renews?.(delta);
    if (renewed !== undefined) this.#renew(renewed);
    return part.aspect;
  }

  #applyDelta(delta: StateDelta, event: LoggedEvent): Aspect {
    switch (delta.delta) {
      case 'organization':
        // The directory itself knows the previous value.
        this.history.note(organizationDelta(delta.organization, this.#organization), event.id);
        this.#organization = delta.organization;
        this.groups.fullMembersJoinedThrough = delta.organization.fullMembersJoinedThrough ?? Infinity;
        if (!this.hidesPeople) this.contacts.clear();
        break;
      case 'user':
        this.history.note(userDelta(delta.user, this.#users.get(delta.user.id)), event.id);
        this.putUser(delta.user);
        if (delta.user.role !== Role.guest) this.contacts.forget(delta.user.id);
        break;
      case 'user-settings':
        this.#putSettings(delta.userId, delta.settings);
        break;
      case 'channel': {
        const before = this.#channels.get(delta.channel.id);
        this.history.note(channelDelta(delta.channel, before), event.id);
        this.putChannel(before === undefined ? delta.channel : withKnownSettings(delta.channel, before));
        break;
      }
      case 'group':
        this.history.note(groupDelta(delta.group, this.groups.all.get(delta.group.id)), event.id);
        this.groups.put(delta.group);
        break;
      case 'group-members':
        this.history.note(delta, event.id);
        this.groups.removeMembers(delta.groupId, delta.removed);
        this.groups.addMembers(delta.groupId, delta.added);
        break;
      case 'group-subgroups':
        this.history.note(delta, event.id);
        this.groups.removeSubgroups(delta.groupId, delta.removed);
        this.groups.addSubgroups(delta.groupId, delta.added);
        break;
      case 'subscribed':
        for (const userId of delta.userIds) this.subscriptions.add(delta.channelId, userId, event.id);
        break;
      case 'unsubscribed':
        for (const userId of delta.userIds) this.subscriptions.remove(delta.channelId, userId, event.id);
        break;
      case 'acquainted':
        this.contacts.add(delta.userId, delta.others, event.id);
        break;
      case 'queues_reset':
        this.history.note(delta, event.id);
        break;
      case 'first-message': {
        const channel = this.#channels.get(delta.channelId);
        if (channel !== undefined) this.putChannel({ ...channel, firstMessageId: event.messageId ?? null });
        break;
      }
      case 'channel-activity': {
        const channel = this.#channels.get(delta.channelId);
        const { isRecentlyActive } = delta;
        if (channel !== undefined) this.putChannel({ ...channel, isRecentlyActive });
        break;
      }
    }
    return ASPECT_OF[delta.delta];
  }

  /** The log no longer keeps the events up to this one. No reader can ask about access at any of them. */
  forgetThrough(eventId: number): void {
    this.subscriptions.forgetEndedThrough(eventId);
    this.history.forgetThrough(eventId);
  }

  /** For loading and applying events only. */
  putUser(user: UserRecord): void {
    const before = this.#users.get(user.id);
    if (before !== undefined) {
      this.#userIdByEmail.delete(before.email.toLowerCase());
      this.#userIdByEmail.delete(before.deliveryEmail.toLowerCase());
      this.#usersByName.remove(before.fullName, before.id);
    }
    (user.systemBot === undefined ? this.#users : this.#systemBots).set(user.id, user);
    this.#userIdByEmail.set(user.deliveryEmail.toLowerCase(), user.id);
    this.#userIdByEmail.set(user.email.toLowerCase(), user.id);
    this.#usersByName.add(user.fullName, user.id);
  }

  /** Replaces the record object, because cached values that belong to it may depend on the profile. */
  #renew(userId: number): void {
    const user = this.#users.get(userId);
    if (user !== undefined) this.#users.set(userId, { ...user });
  }

  #putSettings(userId: number, settings: HeldSettings | undefined): void {
    const user = this.#users.get(userId);
    if (user === undefined) return;
    const { settings: _, ...others } = user;
    this.#users.set(userId, settings === undefined ? others : { ...others, settings });
  }

  /** For loading and applying events only. */
  putChannel(channel: ChannelRecord): void {
    const before = this.#channels.get(channel.id);
    if (before !== undefined) this.#channelIdByName.delete(before.name.toLowerCase());
    this.#channels.set(channel.id, channel);
    this.#channelIdByName.set(channel.name.toLowerCase(), channel.id);
  }
}
