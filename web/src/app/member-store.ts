import type { Model } from '@heddle/client/model/model.ts';
import type { ExtraChanges } from '@heddle/client/session/store.ts';

/** The entry of the store. */
const ENTRY = 'members';

/** How many lists of subscribers are stored, and how many people of each. */
const MAX_CHANNELS = 8;
const MAX_MEMBERS = 1_000;

/** The id of a channel, and ids of its subscribers. */
type StoredMembers = readonly [number, readonly number[]];

/** Stores the subscribers of the channels that the user looked at last, so that the list of people has them without a connection. */
export class MemberStore {
  /** The version of each list at the last call, to see what has changed. */
  #last = new Map<number, number>();

  /** What to store, or nothing if it has not changed. */
  changes(model: Model | undefined): ExtraChanges {
    if (model === undefined) return new Map();
    const { channels } = model;
    const ids = [...channels.listedIds].slice(-MAX_CHANNELS);
    const versions = new Map(ids.map((id) => [id, channels.changesOf.of(id).read()]));
    const isSame = versions.size === this.#last.size && ids.every((id) => this.#last.get(id) === versions.get(id));
    if (isSame) return new Map();
    this.#last = versions;
    const lists = ids.map((id): StoredMembers => [id, [...channels.subscribersOf(id).ids].slice(0, MAX_MEMBERS)]);
    return new Map([[ENTRY, lists]]);
  }
}

/** Fills the lists with what an earlier page has stored. The entry belongs to the position after the stored events. */
export function restoreMembers({ channels }: Model, extra: ReadonlyMap<string, unknown>): void {
  const stored = extra.get(ENTRY);
  if (!Array.isArray(stored)) return;
  for (const [id, members] of stored as readonly StoredMembers[]) {
    // The stored state can have a complete list, and this one can be only the beginning of a long one.
    if (channels.get(id) !== undefined && !channels.subscribersOf(id).isComplete) channels.setSubscribers(id, members);
  }
}
