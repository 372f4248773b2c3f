import { folded, wordsOf } from './text-folding.ts';
import type { UserRecord } from './user-record.ts';

export interface PeopleSearchOptions {
  /** The maximum number of results. */
  readonly limit: number;
  /**
   * Among names that begin with the query, and among the others, users with a larger number come first. The default is 0
   * for all.
   */
  readonly relevance?: (userId: number) => number;
  /** Leaves out users for whom this is false. */
  readonly accepts?: (user: UserRecord) => boolean;
}

interface Person {
  user: UserRecord;
  /** The folded name. It also decides the order of equal matches. */
  readonly key: string;
  readonly words: readonly string[];
  /** The number of the last search that visited this person. */
  visit: number;
}

interface Entry {
  readonly word: string;
  readonly person: Person;
}

/** The entries whose words begin with the same character. They are sorted before the first search. */
interface Bucket {
  readonly entries: Entry[];
  isSorted: boolean;
}

const USERS_PER_STEP = 100;

/** A smaller number is a better match. */
const MATCH = { wholeName: 0, beginOfName: 1, phrase: 2, words: 3, address: 4 } as const;

interface Found {
  readonly person: Person;
  readonly match: number;
  readonly relevance: number;
}

/**
 * Searches users by the beginnings of the words of their names, and by address. Case and diacritics do not matter:
 * `mul` finds `Müller`. Words can be in any order: `love ada` finds `Ada Lovelace`.
 *
 * Invariants:
 * - Each indexed user has one entry per distinct word of the name, and one for the address.
 * - Users are indexed in steps (`prepare`), or at the latest by the first search.
 * - A search visits only the entries that begin with the longest word of the query.
 */
export class PeopleSearch {
  readonly #people = new Map<number, Person>();
  readonly #buckets = new Map<string, Bucket>();
  #visits = 0;
  /** The users who are not indexed yet, and maybe others. */
  #pending: Iterator<UserRecord> | undefined;

  /** @param users a live view: it has each later change of a user who is not indexed yet */
  constructor(users: Iterable<UserRecord>) {
    this.#pending = users[Symbol.iterator]();
  }

  /**
   * Does the work of the first searches in advance, until it is done or the time is over. Returns whether it is done.
   * @param isTimeOver called after each hundred users, and after each initial letter
   */
  prepare(isTimeOver: () => boolean = () => false): boolean {
    if (!this.#indexPending(isTimeOver)) return false;
    for (const bucket of this.#buckets.values()) {
      if (bucket.isSorted) continue;
      sortIfNeeded(bucket);
      if (isTimeOver()) return false;
    }
    return true;
  }

  #indexPending(isTimeOver: () => boolean): boolean {
    while (this.#pending !== undefined) {
      for (let count = 0; count < USERS_PER_STEP; count += 1) {
        const next = this.#pending.next();
        if (next.done) {
          this.#pending = undefined;
          return true;
        }
        // A change can have indexed the user before.
        if (!this.#people.has(next.value.id)) this.add(next.value);
      }
      if (isTimeOver()) return false;
    }
    return true;
  }

  add(user: UserRecord): void {
    const key = folded(user.name);
    const person: Person = { user, key, words: wordsOf(key), visit: 0 };
    this.#people.set(user.id, person);
    for (const word of entryWords(person)) this.#insert({ word, person });
  }

  remove(userId: number): void {
    const person = this.#people.get(userId);
    if (person === undefined) return;
    this.#people.delete(userId);
    for (const word of entryWords(person)) this.#withdraw(word, person);
  }

  /** Replaces a record. The entries change only if the name or the address changed. */
  replace(before: UserRecord, after: UserRecord): void {
    const person = this.#people.get(before.id);
    if (person !== undefined && before.name === after.name && addressOf(before) === addressOf(after)) {
      person.user = after;
      return;
    }
    this.remove(before.id);
    this.add(after);
  }

  /**
   * The best matches, the best one first. Active users come before deactivated ones, and people before bots. An empty
   * query matches everyone.
   */
  search(query: string, { limit, relevance = () => 0, accepts = () => true }: PeopleSearchOptions): UserRecord[] {
    this.#indexPending(() => false);
    const text = folded(query).trim();
    const words = wordsOf(text);
    const best: Found[] = [];
    const visit = ++this.#visits;
    const consider = (person: Person) => {
      if (person.visit === visit) return;
      person.visit = visit;
      const match = matchOf(person, text, words);
      if (match === undefined || !accepts(person.user)) return;
      insertBest(best, { person, match, relevance: relevance(person.user.id) }, limit);
    };
    if (text === '') for (const person of this.#people.values()) consider(person);
    const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '');
    this.#visitPrefix(longest, consider);
    // An address is one entry, because its words are rarely what a user types.
    if (!/\s/.test(text)) this.#visitPrefix(text, consider);
    return best.map(({ person }) => person.user);
  }

  #visitPrefix(prefix: string, visit: (person: Person) => void): void {
    const bucket = this.#buckets.get(prefix.charAt(0));
    if (prefix === '' || bucket === undefined) return;
    sortIfNeeded(bucket);
    const { entries } = bucket;
    for (let at = firstAtLeast(entries, prefix); at < entries.length; at += 1) {
      const entry = entries[at];
      if (entry === undefined || !entry.word.startsWith(prefix)) return;
      visit(entry.person);
    }
  }

  #insert(entry: Entry): void {
    const initial = entry.word.charAt(0);
    const bucket = this.#buckets.get(initial);
    if (bucket === undefined) this.#buckets.set(initial, { entries: [entry], isSorted: true });
    else if (bucket.isSorted && this.#pending === undefined) {
      bucket.entries.splice(firstAtLeast(bucket.entries, entry.word), 0, entry);
    } else {
      // While many users are added, sorting once is cheaper than inserting each.
      bucket.entries.push(entry);
      bucket.isSorted = false;
    }
  }

  #withdraw(word: string, person: Person): void {
    const bucket = this.#buckets.get(word.charAt(0));
    if (bucket === undefined) return;
    sortIfNeeded(bucket);
    for (let at = firstAtLeast(bucket.entries, word); bucket.entries[at]?.word === word; at += 1) {
      if (bucket.entries[at]?.person !== person) continue;
      bucket.entries.splice(at, 1);
      return;
    }
  }
}

function addressOf({ deliveryEmail, email }: UserRecord): string {
  return deliveryEmail ?? email;
}

/** The distinct words of the entries of a person. */
function entryWords({ user, words }: Person): readonly string[] {
  const address = addressOf(user).toLowerCase();
  const distinct = words.filter((word, index) => words.indexOf(word) === index);
  if (address !== '' && !words.includes(address)) distinct.push(address);
  return distinct;
}

function sortIfNeeded(bucket: Bucket): void {
  if (!bucket.isSorted) bucket.entries.sort((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
  bucket.isSorted = true;
}

/** The index of the first entry whose word is not before this one. */
function firstAtLeast(entries: readonly Entry[], word: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.word ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param words the words of `text` */
function matchOf({ key, words: own, user }: Person, text: string, words: readonly string[]): number | undefined {
  if (key === text) return MATCH.wholeName;
  if (key.startsWith(text)) return MATCH.beginOfName;
  if (words.length > 0 && words.every((word) => own.some((one) => one.startsWith(word)))) {
    return key.includes(` ${text}`) ? MATCH.phrase : MATCH.words;
  }
  return addressOf(user).toLowerCase().startsWith(text) ? MATCH.address : undefined;
}

/** Inserts into a sorted list of at most `limit` elements. */
function insertBest(best: Found[], found: Found, limit: number): void {
  const last = best[limit - 1];
  if (last !== undefined && compare(last, found) <= 0) return;
  let at = best.length;
  for (let before = best[at - 1]; before !== undefined && compare(before, found) > 0; before = best[at - 1]) at -= 1;
  best.splice(at, 0, found);
  if (best.length > limit) best.pop();
}

/**
 * Negative if `a` comes first: an exact name, then active users, then names that begin with the text, then relevance. Bots
 * that are not relevant come after people.
 */
function compare(a: Found, b: Found): number {
  return (
    Number(b.match === MATCH.wholeName) - Number(a.match === MATCH.wholeName) ||
    Number(b.person.user.isActive) - Number(a.person.user.isActive) ||
    Number(isIrrelevantBot(a)) - Number(isIrrelevantBot(b)) ||
    Number(a.match > MATCH.beginOfName) - Number(b.match > MATCH.beginOfName) ||
    b.relevance - a.relevance ||
    Number(a.person.user.isBot) - Number(b.person.user.isBot) ||
    a.match - b.match ||
    (a.person.key < b.person.key ? -1 : a.person.key > b.person.key ? 1 : a.person.user.id - b.person.user.id)
  );
}

function isIrrelevantBot({ person, relevance }: Found): boolean {
  return person.user.isBot && relevance === 0;
}
