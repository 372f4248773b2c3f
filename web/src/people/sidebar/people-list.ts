import type { Model } from '@heddle/client/model/model.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { Segment, type Split } from './segment.ts';

export type PeopleRow =
  | { readonly kind: 'heading'; readonly key: 'members' | 'others' | 'online' | 'offline'; readonly count: number }
  | { readonly kind: 'person'; readonly key: string; readonly userId: number };

/** The rows of the list by index, without an array of all of them. */
export interface PeopleRows {
  readonly count: number;
  readonly at: (index: number) => PeopleRow | undefined;
}

/** How many people a search shows. */
const MAX_FOUND_PEOPLE = 200;

/**
 * The people of a conversation and of the organization, in the order of presence and name.
 *
 * Invariant: presences change often, and then only members and people who are online are visited. Another conversation visits its members.
 * The list of everyone is made again when somebody comes, goes, gets another name, or is muted.
 */
export class PeopleList {
  readonly #everyone: Segment;
  readonly #memberIds: ReadonlySet<number> | undefined;
  readonly #members: Segment | undefined;

  /** @param memberIds those of the open conversation, or undefined outside of one */
  constructor(everyone: Segment, memberIds: ReadonlySet<number> | undefined) {
    this.#everyone = everyone;
    const members = memberIds && everyone.only(memberIds);
    this.#members = members && new Segment(members);
    this.#memberIds = members && new Set(members);
  }

  /** @param now seconds since the epoch */
  rows(model: Model, now: number): PeopleRows {
    const active: number[] = [];
    const idle: number[] = [];
    for (const id of model.presence.online(now)) {
      if (model.presence.statusOf(id, now) === 'active') active.push(id);
      else idle.push(id);
    }
    const others = this.#everyone.split(active, idle, this.#memberIds);
    if (this.#members === undefined) {
      return joined([
        heading('online', others.online.length),
        onlineOf(others, 'o'),
        heading('offline', others.offlineCount),
        offlineOf(others, 'o'),
      ]);
    }
    const members = this.#members.split(active, idle);
    return joined([
      heading('members', this.#members.size),
      onlineOf(members, 'm'),
      offlineOf(members, 'm'),
      heading('others', this.#everyone.size - this.#members.size),
      onlineOf(others, 'o'),
      offlineOf(others, 'o'),
    ]);
  }
}

/** Everyone whom the list shows, in the order of their names. */
export function everyoneOf({ users, mutedUsers }: Model): Segment {
  return new Segment(users.activeByName.filter((id) => !mutedUsers.has(id)));
}

/** The people whom a search finds. People who are online come first. @param now seconds since the epoch */
export function foundPeople(model: Model, query: string, now: number): PeopleRows {
  const rank = { active: 2, idle: 1, offline: 0 } as const;
  const found = model.users.search(query, {
    limit: MAX_FOUND_PEOPLE,
    relevance: (id) => rank[model.presence.statusOf(id, now)],
    accepts: ({ id, isActive }: UserRecord) => isActive && !model.mutedUsers.has(id),
  });
  return {
    count: found.length,
    at: (index) => {
      const user = found[index];
      return user && { kind: 'person', key: `f${user.id}`, userId: user.id };
    },
  };
}

function heading(key: 'members' | 'others' | 'online' | 'offline', count: number): PeopleRows {
  return { count: count === 0 ? 0 : 1, at: () => ({ kind: 'heading', key, count }) };
}

function person(userId: number | undefined, prefix: string): PeopleRow | undefined {
  return userId === undefined ? undefined : { kind: 'person', key: `${prefix}${userId}`, userId };
}

function onlineOf({ online }: Split, prefix: string): PeopleRows {
  return { count: online.length, at: (index) => person(online[index], prefix) };
}

function offlineOf({ offlineCount, offlineAt }: Split, prefix: string): PeopleRows {
  return { count: offlineCount, at: (index) => person(offlineAt(index), prefix) };
}

function joined(parts: readonly PeopleRows[]): PeopleRows {
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    at(index) {
      let rest = index;
      for (const { count, at } of parts) {
        if (rest < count) return at(rest);
        rest -= count;
      }
      return undefined;
    },
  };
}
