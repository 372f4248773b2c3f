import type { Directory } from '../../directory/directory.ts';
import type { ProfileFieldRecord } from '../../directory/profiles.ts';
import type { UserRecord } from '../../directory/records.ts';
import { turn } from '../../http/turns.ts';

/** So many users take about two milliseconds. */
export const USERS_A_SLICE = 500;

interface Slice<Value> {
  readonly users: readonly UserRecord[];
  readonly fields: readonly ProfileFieldRecord[];
  readonly value: Value;
}

interface Made<Value> {
  readonly slices: Slice<Value>[];
  /** Of what they were all made, and their values; undefined until they are. */
  whole: { readonly version: number; readonly values: readonly Value[] } | undefined;
}

/**
 * Something that is made of all users of a directory, some hundreds at a time, and remembered: where a user changes only their slice is made
 * anew. A record never changes, so a slice is as good as its records and the profile fields are the same.
 */
export class UserSlices<Value> {
  readonly #make: (directory: Directory, users: readonly UserRecord[]) => Value;
  readonly #made = new WeakMap<Directory, Made<Value>>();

  /** @param make asks the directory for nothing but the server's rules and what profiles of these users say */
  constructor(make: (directory: Directory, users: readonly UserRecord[]) => Value) {
    this.#make = make;
  }

  /** What was made of all users as they are now, in their order: the same list until one changes. */
  of(directory: Directory): readonly Value[] {
    const made = this.#madeOf(directory);
    const version = directory.version('users', 'profiles');
    if (made.whole?.version === version) return made.whole.values;
    const users = [...directory.users.values()];
    const values: Value[] = [];
    for (let index = 0; index * USERS_A_SLICE < users.length; index++)
      values.push(this.#renew(directory, users, index));
    made.whole = { version, values };
    return values;
  }

  /**
   * Makes most of it beforehand, a slice a turn, so that nobody else waits for the whole: after a start, and where many have changed.
   * @returns undefined where `of` takes no time
   */
  prepare(directory: Directory): Promise<void> | undefined {
    if (this.#madeOf(directory).whole?.version === directory.version('users', 'profiles')) return undefined;
    return this.#prepare(directory);
  }

  async #prepare(directory: Directory): Promise<void> {
    let users = [...directory.users.values()];
    for (let index = 0; index * USERS_A_SLICE < users.length; index++) {
      if (this.#fresh(directory, users, index) !== undefined) continue;
      await turn();
      users = [...directory.users.values()];
      this.#renew(directory, users, index);
    }
  }

  #renew(directory: Directory, users: readonly UserRecord[], index: number): Value {
    const fresh = this.#fresh(directory, users, index);
    if (fresh !== undefined) return fresh.value;
    const own = users.slice(index * USERS_A_SLICE, (index + 1) * USERS_A_SLICE);
    const value = this.#make(directory, own);
    this.#madeOf(directory).slices[index] = { users: own, fields: directory.profiles.fields, value };
    return value;
  }

  #fresh(directory: Directory, users: readonly UserRecord[], index: number): Slice<Value> | undefined {
    const slice = this.#madeOf(directory).slices[index];
    if (slice === undefined || slice.fields !== directory.profiles.fields) return undefined;
    const first = index * USERS_A_SLICE;
    if (slice.users.length !== Math.min(USERS_A_SLICE, users.length - first)) return undefined;
    return slice.users.every((user, place) => user === users[first + place]) ? slice : undefined;
  }

  #madeOf(directory: Directory): Made<Value> {
    const known = this.#made.get(directory);
    if (known !== undefined) return known;
    const made: Made<Value> = { slices: [], whole: undefined };
    this.#made.set(directory, made);
    return made;
  }
}
