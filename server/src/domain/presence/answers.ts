import { organizationSetting } from '../../access/organization-settings.ts';
import { accessibleTo, canAccessId, hasInaccessibleUsers } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type RawJson, rawJson } from '../../http/answers/raw-json.ts';
import type { Presences } from './presences.ts';
import { presentLegacy, presentModern } from './present.ts';
import { DAY_SECONDS, HISTORY_DAYS, type Presence } from './timing.ts';

export interface Wanted {
  /** The newer format: by user id, with two times per user. Else the older one, by address. */
  readonly isModern: boolean;
  /** Only changes after this update. undefined or an unknown number: all that are not too old. */
  readonly after: number | undefined;
  /** The greatest age in days; undefined: two weeks. */
  readonly historyDays: number | undefined;
}

/** The presence of all users, for a response. */
export interface PresenceAnswer {
  readonly presences: RawJson;
  readonly lastUpdateId: number;
}

const NONE = rawJson('{}');

/**
 * The presence of users, or the changes (public reference, "Update your presence"). A response is serialized once for
 * all requests that ask for the same, until something changes. A client that knows a later update than the newest one
 * saw a database that was restored since: it gets everything.
 */
export class PresenceAnswers {
  readonly #presences: Presences;
  readonly #directory: Directory;
  readonly #complete = new Remembered();
  readonly #changes = new Remembered();
  /**
   * The serialized presence of each user, per format. When all users come back at once, each report changes only one of
   * these.
   */
  readonly #members = { modern: new WeakMap<Presence, Member>(), legacy: new WeakMap<Presence, Member>() };

  constructor(presences: Presences, directory: Directory) {
    this.#presences = presences;
    this.#directory = directory;
  }

  /** Call `ready` first. A guest who cannot access all users gets an uncached response. */
  answer({ isModern, after, historyDays = HISTORY_DAYS }: Wanted, reader: UserRecord): PresenceAnswer {
    const { head } = this.#presences;
    const { changedAt } = this.#directory;
    if (organizationSetting(this.#directory, 'presence_disabled')) return { presences: NONE, lastUpdateId: -1 };
    if (historyDays === 0) return { presences: NONE, lastUpdateId: after ?? -1 };
    const isLater = after !== undefined && after > 0 && after <= head;
    if (hasInaccessibleUsers(this.#directory, reader)) {
      const visible = isLater
        ? this.#changedAfter(after, isModern, (id) => canAccessId(this.#directory, reader, id))
        : this.#all(historyDays, isModern, isIn(accessibleTo(this.#directory, reader)));
      return { presences: rawJson(visible), lastUpdateId: head === 0 ? -1 : head };
    }
    if (isLater) {
      const presences = this.#changes.get(`${head} ${changedAt}`, `${after} ${isModern}`, () =>
        this.#changedAfter(after, isModern),
      );
      return { presences, lastUpdateId: head };
    }
    const hour = Math.floor(Date.now() / 3_600_000);
    const presences = this.#complete.get(
      `${this.#presences.version} ${changedAt} ${hour}`,
      `${historyDays} ${isModern}`,
      () => this.#all(historyDays, isModern),
    );
    return { presences, lastUpdateId: head === 0 ? -1 : head };
  }

  #changedAfter(after: number, isModern: boolean, isShown = anybody): string {
    const presences = this.#presences.changedAfter(after).map((userId) => {
      if (!isShown(userId)) return undefined;
      const presence = this.#presences.of(userId);
      return presence === undefined ? undefined : this.#member(userId, presence, isModern);
    });
    return objectOf(presences);
  }

  #all(days: number, isModern: boolean, isShown = anybody): string {
    const since = Date.now() / 1000 - days * DAY_SECONDS;
    const members: (string | undefined)[] = [];
    for (const [userId, presence] of this.#presences.all()) {
      if (presence.connectedAt >= since && isShown(userId)) members.push(this.#member(userId, presence, isModern));
    }
    return objectOf(members);
  }

  /** undefined for bots and deactivated users. */
  #member(userId: number, presence: Presence, isModern: boolean): string | undefined {
    const user = this.#directory.user(userId);
    if (user === undefined || !user.isActive || user.isBot) return undefined;
    const members = isModern ? this.#members.modern : this.#members.legacy;
    let member = members.get(presence);
    if (member?.user !== user) {
      const text = isModern
        ? `"${userId}":${JSON.stringify(presentModern(user, presence))}`
        : `${JSON.stringify(user.email)}:${JSON.stringify(presentLegacy(user, presence))}`;
      member = { user, text };
      members.set(presence, member);
    }
    return member.text;
  }
}

const anybody = (_userId: number): boolean => true;

function isIn(users: ReadonlySet<number> | undefined): typeof anybody {
  return users === undefined ? anybody : (userId) => users.has(userId);
}

/** The serialized presence of a user, valid for this record and presence. */
interface Member {
  readonly user: UserRecord;
  readonly text: string;
}

/** The cached bytes after which the cache is cleared. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;

/** Caches serialized responses until the state that they follow from changes. */
class Remembered {
  readonly #answers = new Map<string, RawJson>();
  #state = '';
  #weight = 0;

  get(state: string, key: string, make: () => string): RawJson {
    if (state !== this.#state || this.#weight > MAX_CACHED_BYTES) {
      this.#state = state;
      this.#weight = 0;
      this.#answers.clear();
    }
    let answer = this.#answers.get(key);
    if (answer === undefined) {
      const bytes = Buffer.from(make());
      this.#weight += bytes.length + key.length;
      answer = rawJson(bytes);
      this.#answers.set(key, answer);
    }
    return answer;
  }
}

function objectOf(members: readonly (string | undefined)[]): string {
  return `{${members.filter((member) => member !== undefined).join(',')}}`;
}
