import type { LoggedEvent } from '../log/event.ts';
import type { Fact } from './facts.ts';
import { GroupIndex } from './groups.ts';
import { NameIndex } from './name-index.ts';
import type { ChannelRecord, OrganizationRecord, UserRecord } from './records.ts';
import { SubscriptionIndex } from './subscriptions.ts';

/**
 * The in-memory picture of one organization at one event of its log: loaded from the database in one snapshot, kept by folding the
 * events that follow. Derived state: folding gives what loading would.
 */
export class Directory {
  #organization: OrganizationRecord;
  readonly #users = new Map<number, UserRecord>();
  readonly #userIdByEmail = new Map<string, number>();
  readonly #usersByName = new NameIndex();
  readonly #channels = new Map<number, ChannelRecord>();
  readonly #channelIdByName = new Map<string, number>();
  readonly subscriptions = new SubscriptionIndex();
  readonly groups = new GroupIndex();
  #appliedThrough: number;
  #changedAt: number;
  #usersChangedAt: number;

  constructor(organization: OrganizationRecord, appliedThrough: number, changedAt: number) {
    this.#organization = organization;
    this.#appliedThrough = appliedThrough;
    this.#changedAt = changedAt;
    this.#usersChangedAt = changedAt;
  }

  get organization(): OrganizationRecord {
    return this.#organization;
  }

  /** The last event that is folded in. */
  get appliedThrough(): number {
    return this.#appliedThrough;
  }

  /** The last event that changed anything here. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** The last event that changed a user; what is derived from users alone stays true until the next. */
  get usersChangedAt(): number {
    return this.#usersChangedAt;
  }

  get users(): ReadonlyMap<number, UserRecord> {
    return this.#users;
  }

  get channels(): ReadonlyMap<number, ChannelRecord> {
    return this.#channels;
  }

  user(id: number): UserRecord | undefined {
    return this.#users.get(id);
  }

  /** By API address or delivery address, whichever case. */
  userByEmail(email: string): UserRecord | undefined {
    const id = this.#userIdByEmail.get(email.toLowerCase());
    return id === undefined ? undefined : this.#users.get(id);
  }

  /** All who have exactly this full name, whichever case. */
  usersByName(fullName: string): readonly UserRecord[] {
    return this.#usersByName.get(fullName).flatMap((id) => this.#users.get(id) ?? []);
  }

  channel(id: number): ChannelRecord | undefined {
    return this.#channels.get(id);
  }

  channelByName(name: string): ChannelRecord | undefined {
    const id = this.#channelIdByName.get(name.toLowerCase());
    return id === undefined ? undefined : this.#channels.get(id);
  }

  /** Folds the next event in. Events come in order and without holes. */
  apply(event: LoggedEvent): void {
    if (event.id !== this.#appliedThrough + 1) {
      throw new Error(`event ${event.id} cannot follow ${this.#appliedThrough} in a directory`);
    }
    for (const fact of (event.facts ?? []) as readonly Fact[]) this.#applyFact(fact, event);
    this.#appliedThrough = event.id;
    if (event.facts !== undefined) this.#changedAt = event.id;
  }

  #applyFact(fact: Fact, event: LoggedEvent): void {
    switch (fact.fact) {
      case 'organization':
        this.#organization = fact.organization;
        break;
      case 'user':
        this.putUser(fact.user);
        this.#usersChangedAt = event.id;
        break;
      case 'channel':
        this.putChannel(fact.channel);
        break;
      case 'group':
        this.groups.put(fact.group);
        break;
      case 'subscribed':
        for (const userId of fact.userIds) this.subscriptions.add(fact.channelId, userId, event.id);
        break;
      case 'unsubscribed':
        for (const userId of fact.userIds) this.subscriptions.remove(fact.channelId, userId, event.id);
        break;
      case 'first-message': {
        const channel = this.#channels.get(fact.channelId);
        if (channel !== undefined) this.putChannel({ ...channel, firstMessageId: event.messageId ?? null });
        break;
      }
    }
  }

  /** For loading and folding only. */
  putUser(user: UserRecord): void {
    const before = this.#users.get(user.id);
    if (before !== undefined) {
      this.#userIdByEmail.delete(before.email.toLowerCase());
      this.#userIdByEmail.delete(before.deliveryEmail.toLowerCase());
      this.#usersByName.remove(before.fullName, before.id);
    }
    this.#users.set(user.id, user);
    this.#userIdByEmail.set(user.deliveryEmail.toLowerCase(), user.id);
    this.#userIdByEmail.set(user.email.toLowerCase(), user.id);
    this.#usersByName.add(user.fullName, user.id);
  }

  /** For loading and folding only. */
  putChannel(channel: ChannelRecord): void {
    const before = this.#channels.get(channel.id);
    if (before !== undefined) this.#channelIdByName.delete(before.name.toLowerCase());
    this.#channels.set(channel.id, channel);
    this.#channelIdByName.set(channel.name.toLowerCase(), channel.id);
  }
}
