/**
 * The user lists in the initial state of guests who cannot access all users. Each user is serialized twice: as the real
 * record, and as an inaccessible user. A guest's list is assembled from ranges of both.
 */
import { accessibleTo } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { type RawJson, rawJson } from '../../../http/answers/raw-json.ts';
import { presentListed, presentListedInaccessible } from './present.ts';
import { USERS_PER_CHUNK, UserChunks } from './user-chunks.ts';

export interface GuestLists {
  readonly realm_users: RawJson;
  readonly realm_non_active_users: RawJson;
}

interface ListOptions {
  readonly clientGravatar: boolean;
  /** Leaves out inaccessible users. Otherwise each has a placeholder record. */
  readonly isIncomplete: boolean;
}

/** Computes the chunks in advance, in turns, so that other requests run between them. */
export async function prepareListsForGuests(directory: Directory, options: ListOptions): Promise<void> {
  await recordsFor(options).prepare(directory);
  if (!options.isIncomplete) await standInChunks.prepare(directory);
}

/** The lists for one guest. Iterates once over the users and once over the guest's channels. */
export function listsForGuest(directory: Directory, reader: UserRecord, options: ListOptions): GuestLists {
  const { clientGravatar, isIncomplete } = options;
  const known = accessibleTo(directory, reader);
  const records = recordsFor(options).of(directory);
  const standIns = isIncomplete ? undefined : standInChunks.of(directory);
  const active = new Stretches();
  const inactive = new Stretches();
  const own = presentListed(directory, reader, { clientGravatar, withProfileData: true, reader });
  active.add(new Records([JSON.stringify(own)]), 0);
  let index = 0;
  for (const user of directory.users.values()) {
    if (user.id !== reader.id) {
      const [chunk, place] = [Math.floor(index / USERS_PER_CHUNK), index % USERS_PER_CHUNK];
      if (known?.has(user.id) !== false) (user.isActive ? active : inactive).add(records[chunk], place);
      else active.add(standIns?.[chunk], place);
    }
    index += 1;
  }
  return { realm_users: active.json, realm_non_active_users: inactive.json };
}

const withGravatars = recordChunks(false);
const withoutGravatars = recordChunks(true);
const standInChunks = new UserChunks(
  (directory, users) => new Records(users.map(({ id }) => JSON.stringify(presentListedInaccessible(directory, id)))),
);

function recordsFor({ clientGravatar }: Pick<ListOptions, 'clientGravatar'>): UserChunks<Records> {
  return clientGravatar ? withoutGravatars : withGravatars;
}

function recordChunks(clientGravatar: boolean): UserChunks<Records> {
  const presentation = { clientGravatar, withProfileData: true, reader: { id: 0, role: Role.guest } };
  return new UserChunks(
    (directory, users) =>
      new Records(users.map((user) => JSON.stringify(presentListed(directory, user, presentation)))),
  );
}

/** Serialized objects with commas between them, and the end of each. */
class Records {
  readonly bytes: Buffer;
  readonly #ends: Uint32Array;

  constructor(texts: readonly string[]) {
    this.bytes = Buffer.from(texts.join(','));
    this.#ends = new Uint32Array(texts.length);
    let end = -1;
    for (const [index, text] of texts.entries()) {
      end += 1 + Buffer.byteLength(text);
      this.#ends[index] = end;
    }
  }

  /** The bytes from one object through another, with the commas between them. */
  from(first: number, last: number): Buffer {
    return this.bytes.subarray(first === 0 ? 0 : (this.#ends[first - 1] ?? 0) + 1, this.#ends[last]);
  }
}

/** Assembles a list. Neighbouring objects are copied as one range. */
class Stretches {
  readonly #pieces: Buffer[] = [];
  #records: Records | undefined;
  #first = 0;
  #last = 0;

  /** @param records undefined adds nothing */
  add(records: Records | undefined, place: number): void {
    if (records === undefined) return;
    if (records === this.#records && place === this.#last + 1) {
      this.#last = place;
      return;
    }
    this.#flush();
    this.#records = records;
    this.#first = place;
    this.#last = place;
  }

  get json(): RawJson {
    this.#flush();
    return rawJson([OPENING, ...this.#pieces, CLOSING]);
  }

  #flush(): void {
    if (this.#records === undefined) return;
    if (this.#pieces.length > 0) this.#pieces.push(COMMA);
    this.#pieces.push(this.#records.from(this.#first, this.#last));
    this.#records = undefined;
  }
}

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']');
