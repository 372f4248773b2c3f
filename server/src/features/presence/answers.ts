import { organizationSetting } from '../../access/organization-settings.ts';
import { hasStrangers, knownTo, knowsId } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type RawJson, rawJson } from '../../http/route.ts';
import type { Presence, Presences } from './presences.ts';
import { presentLegacy, presentModern } from './present.ts';
import { DAY, HISTORY_DAYS } from './timing.ts';

export interface Wanted {
  /** By user ids and in two times each; else by addresses, as older clients have it. */
  readonly isModern: boolean;
  /** What changed after this update; all that is not too old where it is undefined or no update. */
  readonly after: number | undefined;
  /** How old it may be; undefined: two weeks. */
  readonly historyDays: number | undefined;
}

/** What clients are told of everybody. */
export interface PresenceAnswer {
  readonly presences: RawJson;
  readonly lastUpdateId: number;
}

const NONE = rawJson('{}');

/**
 * Who is there, or who has changed (public reference, "Update your presence"): serialized once for all who ask the same until something
 * changes. A client that knows later updates than there are knows them of a database that has gone back: it gets everything.
 */
export class PresenceAnswers {
  readonly #presences: Presences;
  readonly #directory: Directory;
  readonly #complete = new Remembered();
  readonly #changes = new Remembered();
  /** What is told of somebody in each form, as long as it stays: when all come back at once, each changes only what is said of them. */
  readonly #members = { modern: new WeakMap<Presence, Member>(), legacy: new WeakMap<Presence, Member>() };

  constructor(presences: Presences, directory: Directory) {
    this.#presences = presences;
    this.#directory = directory;
  }

  /** Ready presences only. Who does not know everybody gets an answer of their own. */
  answer({ isModern, after, historyDays = HISTORY_DAYS }: Wanted, reader: UserRecord): PresenceAnswer {
    const { head } = this.#presences;
    const { changedAt } = this.#directory;
    if (organizationSetting(this.#directory, 'presence_disabled')) return { presences: NONE, lastUpdateId: -1 };
    if (historyDays === 0) return { presences: NONE, lastUpdateId: after ?? -1 };
    const isLater = after !== undefined && after > 0 && after <= head;
    if (hasStrangers(this.#directory, reader)) {
      const told = isLater
        ? this.#changedAfter(after, isModern, (id) => knowsId(this.#directory, reader, id))
        : this.#all(historyDays, isModern, isIn(knownTo(this.#directory, reader)));
      return { presences: rawJson(told), lastUpdateId: head === 0 ? -1 : head };
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

  #changedAfter(after: number, isModern: boolean, isTold = anybody): string {
    const presences = this.#presences.changedAfter(after).map((userId) => {
      if (!isTold(userId)) return undefined;
      const presence = this.#presences.of(userId);
      return presence === undefined ? undefined : this.#member(userId, presence, isModern);
    });
    return objectOf(presences);
  }

  #all(days: number, isModern: boolean, isTold = anybody): string {
    const since = Date.now() / 1000 - days * DAY;
    const members: (string | undefined)[] = [];
    for (const [userId, presence] of this.#presences.all()) {
      if (presence.connectedAt >= since && isTold(userId)) members.push(this.#member(userId, presence, isModern));
    }
    return objectOf(members);
  }

  /** Nothing of bots and of who is deactivated. */
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

/** What is told of a user, as long as the record and the presence are the same. */
interface Member {
  readonly user: UserRecord;
  readonly text: string;
}

/** What answers may weigh together before they are forgotten, in bytes. */
const MOST_REMEMBERED = 16 * 1024 * 1024;

/** Serialized answers, as long as what they follow from stays. */
class Remembered {
  readonly #answers = new Map<string, RawJson>();
  #state = '';
  #weight = 0;

  get(state: string, key: string, make: () => string): RawJson {
    if (state !== this.#state || this.#weight > MOST_REMEMBERED) {
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
