import type { Model } from '@heddle/client/model/model.ts';
import type { UserRecord } from '@heddle/client/model/user-record.ts';
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
const MAX_FOUND = 200;

/**
 * The people of a conversation and of the organization, in the order of presence and name.
 *
 * Invariant: presences change often, and then only people who are online are visited. The two lists are made again when
 * somebody comes, goes, gets another name, is muted, or when members change.
 */
export class PeopleList {
  readonly #members: Segment | undefined;
  readonly #others: Segment;

  /** @param memberIds those of the open conversation, or undefined outside of one */
  constructor(model: Model, memberIds: ReadonlySet<number> | undefined) {
    const shown = model.users.activeByName.filter((id) => !model.mutedUsers.has(id));
    this.#members = memberIds && new Segment(shown.filter((id) => memberIds.has(id)));
    this.#others = new Segment(memberIds === undefined ? shown : shown.filter((id) => !memberIds.has(id)));
  }

  /** @param now seconds since the epoch */
  rows(model: Model, now: number): PeopleRows {
    const active: number[] = [];
    const idle: number[] = [];
    for (const id of model.presence.online(now)) {
      if (model.presence.statusOf(id, now) === 'active') active.push(id);
      else idle.push(id);
    }
    const others = this.#others.split(active, idle);
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
      heading('others', this.#others.size),
      onlineOf(others, 'o'),
      offlineOf(others, 'o'),
    ]);
  }
}

/** The people whom a search finds. People who are online come first. @param now seconds since the epoch */
export function foundPeople(model: Model, query: string, now: number): PeopleRows {
  const rank = { active: 2, idle: 1, offline: 0 } as const;
  const found = model.users.search(query, {
    limit: MAX_FOUND,
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
