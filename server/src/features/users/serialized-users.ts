import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type RawJson, rawJson } from '../../http/route.ts';
import { rememberedBy, rememberedJson } from '../remembered-state.ts';
import { UserSlices } from './user-slices.ts';

/** Some of the users, serialized: each record with a comma before it. */
interface SerializedSlice {
  readonly active: Buffer;
  readonly inactive: Buffer;
  /** Where each active one's record is, with its comma, of those that were asked for. */
  readonly places: ReadonlyMap<number, readonly [start: number, end: number]>;
}

/** The lists of an organization's users as the wire has them, serialized for all who are told the same. */
export class SerializedUsers {
  readonly #slices: UserSlices<SerializedSlice>;
  /** All active ones, and all others. */
  readonly active = rememberedBy(['users', 'profiles'], (directory) =>
    remembered(this.#slices.of(directory).map(({ active }) => active)),
  );
  readonly inactive = rememberedBy(['users', 'profiles'], (directory) =>
    remembered(this.#slices.of(directory).map(({ inactive }) => inactive)),
  );

  /**
   * @param present a user as the wire has them; see `UserSlices` for what it may ask
   * @param isReplaced whose record `activeWith` may find another for; nobody's if not given
   */
  constructor(
    present: (directory: Directory, user: UserRecord) => object,
    isReplaced: (user: UserRecord) => boolean = () => false,
  ) {
    const make = (directory: Directory, users: readonly UserRecord[]) =>
      serialize(users, (user) => present(directory, user), isReplaced);
    this.#slices = new UserSlices(make);
  }

  /** Makes most of them beforehand, in turns. */
  prepare(directory: Directory): Promise<void> | undefined {
    return this.#slices.prepare(directory);
  }

  /** The active ones, with another record for one of them, where that is one whose record may be replaced. */
  activeWith(directory: Directory, userId: number, record: () => object): RawJson {
    const slices = this.#slices.of(directory);
    const own = slices.find(({ places }) => places.has(userId));
    const place = own?.places.get(userId);
    if (own === undefined || place === undefined) return this.active(directory);
    const [start, end] = place;
    const replaced = Buffer.from(`,${JSON.stringify(record())}`);
    return listOf(
      slices.flatMap((slice) => {
        const { active } = slice;
        return slice === own ? [active.subarray(0, start), replaced, active.subarray(end)] : [active];
      }),
    );
  }
}

function serialize(
  users: readonly UserRecord[],
  present: (user: UserRecord) => object,
  isReplaced: (user: UserRecord) => boolean,
): SerializedSlice {
  const places = new Map<number, readonly [number, number]>();
  let active = '';
  let inactive = '';
  let at = 0;
  const replaceable = users.some(isReplaced);
  for (const user of users) {
    const text = `,${JSON.stringify(present(user))}`;
    if (!user.isActive) {
      inactive += text;
      continue;
    }
    active += text;
    if (!replaceable) continue;
    const end = at + Buffer.byteLength(text);
    if (isReplaced(user)) places.set(user.id, [at, end]);
    at = end;
  }
  return { active: Buffer.from(active), inactive: Buffer.from(inactive), places };
}

/** A short list is sooner sent as one piece. */
function remembered(stretches: readonly Buffer[]): RawJson {
  const list = listOf(stretches);
  const { body } = list;
  return stretches.length > 1 || !Array.isArray(body) ? list : rememberedJson(Buffer.concat(body).toString());
}

/** @param stretches of records, each with a comma before it */
function listOf(stretches: readonly Buffer[]): RawJson {
  const [first, ...others] = stretches.filter(({ length }) => length > 0);
  return rawJson(first === undefined ? '[]' : [OPENING, first.subarray(1), ...others, CLOSING]);
}

const OPENING = Buffer.from('[');
const CLOSING = Buffer.from(']');
