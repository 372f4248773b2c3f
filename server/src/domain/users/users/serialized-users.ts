import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { rememberedBy, rememberedJson } from '../../../extension/remembered-state.ts';
import { isShared, type RawJson, rawJson, shared } from '../../../http/answers/raw-json.ts';
import { UserChunks } from './user-chunks.ts';

/** A chunk of the users, serialized: records with commas between. */
interface SerializedChunk {
  readonly active: Buffer;
  readonly inactive: Buffer;
  /** The ranges of active records that can be replaced. */
  readonly places: ReadonlyMap<number, readonly [start: number, end: number]>;
}

/**
 * The user lists of an organization in the API's format. Serialized once for all readers who see the same addresses.
 */
export class SerializedUsers {
  readonly #chunks: UserChunks<SerializedChunk>;
  /** The active users. `inactive` has all others. */
  readonly active = rememberedBy(['users', 'profiles'], (directory) =>
    remembered(this.#chunks.of(directory).map(({ active }) => active)),
  );
  readonly inactive = rememberedBy(['users', 'profiles'], (directory) =>
    remembered(this.#chunks.of(directory).map(({ inactive }) => inactive)),
  );

  /**
   * @param present a user in the API's format; see `UserChunks` for what it may read
   * @param isReplaced the users whose record `activeWith` can replace; none by default
   */
  constructor(
    present: (directory: Directory, user: UserRecord) => object,
    isReplaced: (user: UserRecord) => boolean = () => false,
  ) {
    const make = (directory: Directory, users: readonly UserRecord[]) =>
      serialize(users, (user) => present(directory, user), isReplaced);
    this.#chunks = new UserChunks(make);
  }

  /** Computes the chunks in advance, in turns. */
  prepare(directory: Directory): Promise<void> | undefined {
    return this.#chunks.prepare(directory);
  }

  /** The active users, with another record for one of them if its record can be replaced. */
  activeWith(directory: Directory, userId: number, record: () => object): RawJson {
    const chunks = this.#chunks.of(directory);
    const own = chunks.find(({ places }) => places.has(userId));
    const place = own?.places.get(userId);
    if (own === undefined || place === undefined) return this.active(directory);
    const [start, end] = place;
    const replaced = Buffer.from(`,${JSON.stringify(record())}`);
    return listOf(
      chunks.flatMap((chunk) => {
        const { active } = chunk;
        return chunk === own ? [active.subarray(0, start), replaced, active.subarray(end)] : [active];
      }),
    );
  }
}

function serialize(
  users: readonly UserRecord[],
  present: (user: UserRecord) => object,
  isReplaced: (user: UserRecord) => boolean,
): SerializedChunk {
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
  return { active: shared(Buffer.from(active)), inactive: shared(Buffer.from(inactive)), places };
}

/** A short list is sent faster as one piece. */
function remembered(stretches: readonly Buffer[]): RawJson {
  const list = listOf(stretches);
  const { body } = list;
  return stretches.length > 1 || !Array.isArray(body) ? list : rememberedJson(Buffer.concat(body).toString());
}

/** @param stretches ranges of records, each record with a comma before it */
function listOf(stretches: readonly Buffer[]): RawJson {
  const [first, ...others] = stretches.filter(({ length }) => length > 0);
  return rawJson(first === undefined ? '[]' : [OPENING, withoutComma(first), ...others, CLOSING]);
}

const firstStretches = new WeakMap<Buffer, Buffer>();

/** The same object each time, so that it is compressed once. */
function withoutComma(stretch: Buffer): Buffer {
  const known = firstStretches.get(stretch);
  if (known !== undefined) return known;
  const rest = stretch.subarray(1);
  if (isShared(stretch)) shared(rest);
  firstStretches.set(stretch, rest);
  return rest;
}

const OPENING = Buffer.from('[');
const CLOSING = Buffer.from(']');
