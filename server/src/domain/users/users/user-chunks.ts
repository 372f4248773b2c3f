import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { turn } from '../../../http/limits/turns.ts';
import { type ProfileFieldRecord, profilesPart } from '../profile-fields/profiles.ts';

/** A chunk of this size takes about two milliseconds. */
export const USERS_PER_CHUNK = 500;

interface Chunk<Value> {
  readonly users: readonly UserRecord[];
  readonly fields: readonly ProfileFieldRecord[];
  readonly value: Value;
}

interface Made<Value> {
  readonly chunks: Chunk<Value>[];
  /** The directory version of the values, and the values of all chunks; undefined until all are computed. */
  whole: { readonly version: number; readonly values: readonly Value[] } | undefined;
}

/**
 * A value computed from all users of a directory, chunk by chunk, and cached. If a user changes, only that chunk is
 * recomputed. Records are immutable, so a chunk stays valid while its records and the profile fields are the same
 * objects.
 */
export class UserChunks<Value> {
  readonly #make: (directory: Directory, users: readonly UserRecord[]) => Value;
  readonly #made = new WeakMap<Directory, Made<Value>>();

  /** @param make may read from the directory only server rules and the profiles of these users */
  constructor(make: (directory: Directory, users: readonly UserRecord[]) => Value) {
    this.#make = make;
  }

  /** The values for all users as they are now, in order. Returns the same list until a user changes. */
  of(directory: Directory): readonly Value[] {
    const made = this.#madeOf(directory);
    const version = directory.version('users', 'profiles');
    if (made.whole?.version === version) return made.whole.values;
    const users = [...directory.users.values()];
    const values: Value[] = [];
    for (let index = 0; index * USERS_PER_CHUNK < users.length; index++)
      values.push(this.#renew(directory, users, index));
    made.whole = { version, values };
    return values;
  }

  /**
   * Computes the chunks in advance, one per turn, so that other requests run between them. This matters after a start,
   * and after many changes.
   * @returns undefined if `of` is fast already
   */
  prepare(directory: Directory): Promise<void> | undefined {
    if (this.#madeOf(directory).whole?.version === directory.version('users', 'profiles')) return undefined;
    return this.#prepare(directory);
  }

  async #prepare(directory: Directory): Promise<void> {
    let users = [...directory.users.values()];
    for (let index = 0; index * USERS_PER_CHUNK < users.length; index++) {
      if (this.#fresh(directory, users, index) !== undefined) continue;
      await turn();
      users = [...directory.users.values()];
      this.#renew(directory, users, index);
    }
  }

  #renew(directory: Directory, users: readonly UserRecord[], index: number): Value {
    const fresh = this.#fresh(directory, users, index);
    if (fresh !== undefined) return fresh.value;
    const own = users.slice(index * USERS_PER_CHUNK, (index + 1) * USERS_PER_CHUNK);
    const value = this.#make(directory, own);
    this.#madeOf(directory).chunks[index] = { users: own, fields: directory.part(profilesPart).fields, value };
    return value;
  }

  #fresh(directory: Directory, users: readonly UserRecord[], index: number): Chunk<Value> | undefined {
    const chunk = this.#madeOf(directory).chunks[index];
    if (chunk === undefined || chunk.fields !== directory.part(profilesPart).fields) return undefined;
    const first = index * USERS_PER_CHUNK;
    if (chunk.users.length !== Math.min(USERS_PER_CHUNK, users.length - first)) return undefined;
    return chunk.users.every((user, place) => user === users[first + place]) ? chunk : undefined;
  }

  #madeOf(directory: Directory): Made<Value> {
    const known = this.#made.get(directory);
    if (known !== undefined) return known;
    const made: Made<Value> = { chunks: [], whole: undefined };
    this.#made.set(directory, made);
    return made;
  }
}
