/**
 * The lists of users in the initial state for guests who do not know everybody: every record is serialized once, as it is and as it
 * stands for a stranger, and a guest's list is put together of stretches of both.
 */
import { knownTo } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { type RawJson, rawJson } from '../../http/route.ts';
import { rememberedBy } from '../remembered-state.ts';
import { presentListed, presentListedStranger } from './present.ts';

export interface GuestLists {
  readonly realm_users: RawJson;
  readonly realm_non_active_users: RawJson;
}

interface ListOptions {
  readonly clientGravatar: boolean;
  /** Strangers are left out; else something stands for each. */
  readonly isIncomplete: boolean;
}

/** What a guest gets who registers. One walk over the users and over the guest's channels. */
export function listsForGuest(
  directory: Directory,
  reader: UserRecord,
  { clientGravatar, isIncomplete }: ListOptions,
): GuestLists {
  const known = knownTo(directory, reader);
  const records = (clientGravatar ? recordsWithoutGravatars : recordsWithGravatars)(directory);
  const standIns = isIncomplete ? undefined : standInsOf(directory);
  const active = new Stretches();
  const inactive = new Stretches();
  const own = presentListed(directory, reader, { clientGravatar, withProfileData: true, reader });
  active.add(new Records([JSON.stringify(own)]), 0);
  let place = 0;
  for (const user of directory.users.values()) {
    if (user.id !== reader.id) {
      if (known?.has(user.id) !== false) (user.isActive ? active : inactive).add(records, place);
      else if (standIns !== undefined) active.add(standIns, place);
    }
    place += 1;
  }
  return { realm_users: active.json, realm_non_active_users: inactive.json };
}

const recordsWithGravatars = rememberedBy(['users', 'profiles'], (directory) => recordsOf(directory, false));
const recordsWithoutGravatars = rememberedBy(['users', 'profiles'], (directory) => recordsOf(directory, true));
const standInsOf = rememberedBy(
  ['users'],
  (directory) =>
    new Records([...directory.users.keys()].map((id) => JSON.stringify(presentListedStranger(directory, id)))),
);

function recordsOf(directory: Directory, clientGravatar: boolean): Records {
  const presentation = { clientGravatar, withProfileData: true, reader: { id: 0, role: Role.guest } };
  return new Records(
    [...directory.users.values()].map((user) => JSON.stringify(presentListed(directory, user, presentation))),
  );
}

/** Serialized objects, with commas between them, and where each of them ends. */
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

  /** From one object through another, with the commas between them. */
  from(first: number, last: number): Buffer {
    return this.bytes.subarray(first === 0 ? 0 : (this.#ends[first - 1] ?? 0) + 1, this.#ends[last]);
  }
}

/** A list that is put together of objects that lie beside each other as they are. */
class Stretches {
  readonly #pieces: Buffer[] = [];
  #records: Records | undefined;
  #first = 0;
  #last = 0;

  add(records: Records, place: number): void {
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
