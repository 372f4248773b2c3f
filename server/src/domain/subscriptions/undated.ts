/**
 * Staged rows of a bulk subscribe (`UndatedSubscriptions`). Inserting thousands of rows takes too long under the
 * organization lock. So a transaction inserts them first, acquires the lock, and then only sets their dates.
 *
 * Example: Ada subscribes 4,780 users to the channel `news` (id 7).
 *
 * 1. `write` runs without the organization lock. `takeChannels` acquires an exclusive advisory lock for channel 7. The
 *    rows are inserted with `since_event_id` -1 (`UNDATED`). No other transaction sees them before the commit.
 * 2. Ben subscribes Cleo to `news` in another transaction. It already holds the organization lock. If Cleo is among
 *    Ada's users, his insert would wait for her row, while Ada waits for his organization lock: a deadlock. So
 *    `beginSubscriptions` first tries a shared advisory lock for channel 7, without waiting. It fails, and Ben gets
 *    `TryAgainError`. He rolls back and retries after a pause (`slices.ts`).
 * 3. Ada's transaction acquires the organization lock. Now the directory is exact: the last event is 41 and the last
 *    message is 900. `addSubscribers` checks who joins, and `members` compares these users with the staged rows.
 * 4. They match, so the event 42 announces the users. `date` sets event 42 and message 900 in all staged rows, and the
 *    transaction commits.
 *
 * What can go wrong: Dan was subscribed in step 1, so he got no row, and he left before step 3. Now he would join, but
 * he has no staged row. `members` throws `NotAsWrittenError`, and everything is rolled back. The same happens if a
 * staged user would not join, or if another request created a channel with a higher id than a reserved one.
 * `slices.ts` then repeats all steps, and after two such conflicts writes the rows under the lock instead.
 */
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import type { Member } from '../channels/subscription-event.ts';
import { dateSubscriptions, forgetBegun, insertUndated, takeChannels } from './beginning.ts';
import { type GivenColors, newColor } from './colors.ts';
import { memberAgain } from './present.ts';
import { rowsOf } from './rows.ts';

/**
 * Another transaction holds the advisory lock of a channel. Nothing was committed, and a retry after a pause can
 * succeed.
 */
export class TryAgainError extends Error {
  override readonly name: string = 'TryAgainError';
}

/** The staged rows do not match what the transaction does now, because others made changes. Nothing was committed. */
export class NotAsWrittenError extends Error {
  override readonly name: string = 'NotAsWrittenError';
}

/** The message of a `TryAgainError`. */
export const TAKEN = 'another request has the subscriptions of a channel in hand';

/** A channel that users join. A channel to be created has its reserved id, which no other transaction knows. */
export interface JoinedAhead {
  readonly id: number;
  readonly color?: string | undefined;
  readonly isNew: boolean;
}

/**
 * Staged rows: subscriptions that a transaction writes before it acquires the organization lock. They have no date yet.
 * `date` sets their event and message under the lock. A transaction with rows that are not dated must not commit.
 */
export class UndatedSubscriptions {
  /** The reserved ids of the channels that the transaction creates, by name. */
  readonly created: ReadonlyMap<string, number>;
  readonly #members: ReadonlyMap<number, ReadonlyMap<number, Member>>;
  readonly #places: string;
  readonly #count: number;
  #areBeingDated = false;

  private constructor(
    created: ReadonlyMap<string, number>,
    members: readonly (readonly [number, Member[]])[],
    places: string,
  ) {
    this.created = created;
    this.#members = new Map(members.map(([id, ofChannel]) => [id, new Map(ofChannel.map((one) => [one[0], one]))]));
    this.#places = places;
    this.#count = members.reduce((count, [, ofChannel]) => count + ofChannel.length, 0);
  }

  /**
   * Stages rows for the users who are not subscribed to these channels yet.
   * @throws TryAgainError
   * @param created the names and reserved ids of the channels to be created
   */
  static async write(
    db: DbTransaction,
    organizationId: number,
    {
      channels,
      userIds,
      colors,
      created,
    }: {
      readonly channels: readonly JoinedAhead[];
      readonly userIds: readonly number[];
      readonly colors: GivenColors;
      readonly created: ReadonlyMap<string, number>;
    },
  ): Promise<UndatedSubscriptions> {
    const existing = channels.filter(({ isNew }) => !isNew).map(({ id }) => id);
    if (!(await takeChannels(db, organizationId, existing))) throw new TryAgainError(TAKEN);
    const rows = existing.length === 0 ? [] : await rowsOf(db, organizationId, userIds, existing);
    const earlier = Map.groupBy(rows, (row) => row.channel_id);
    const users = [...new Set(userIds)].sort((a, b) => a - b);
    const members = channels.map(({ id, color }) => {
      const known = new Map(earlier.get(id)?.map((row) => [row.user_id, row]));
      const joining = users.flatMap((userId): [Member] | [] => {
        const row = known.get(userId);
        if (row?.is_active) return [];
        return [row === undefined ? [userId, newColor(colors, userId, id, color)] : memberAgain(row)];
      });
      return [id, joining] as const;
    });
    const begun = members.flatMap(([channelId, joining]) =>
      joining.map(([userId, color, kept]) => ({ userId, channelId, color, isAgain: kept !== undefined })),
    );
    const places = await insertUndated(db, organizationId, begun);
    return new UndatedSubscriptions(
      created,
      members.filter(([, joining]) => joining.length > 0),
      places,
    );
  }

  /**
   * The ids of the channels to be created, in the order of the names. They must be the highest ids.
   * @throws NotAsWrittenError the names differ from the staged ones, or another transaction created a channel
   */
  idsOf(directory: Directory, names: readonly string[]): readonly number[] {
    const ids = names.flatMap((name) => this.created.get(name) ?? []);
    if (ids.length !== names.length || ids.length !== this.created.size) {
      throw new NotAsWrittenError('other channels are to be created than were');
    }
    const lowest = Math.min(...ids);
    for (const id of directory.channels.keys()) {
      if (id > lowest) throw new NotAsWrittenError('somebody else has created a channel meanwhile');
    }
    return ids;
  }

  /**
   * The members who join a channel, in the order of the ids.
   * @throws NotAsWrittenError other users were staged
   */
  members(channelId: number, userIds: readonly number[]): readonly Member[] {
    const written = this.#members.get(channelId);
    const members: Member[] = [];
    for (const userId of userIds) {
      const member = written?.get(userId);
      if (member !== undefined) members.push(member);
    }
    if (members.length !== userIds.length || members.length !== written?.size) {
      throw new NotAsWrittenError('others join than were written');
    }
    return members;
  }

  /**
   * Dates the staged rows, with one event per channel.
   * @throws NotAsWrittenError some staged rows would stay without a date
   */
  async date({ db, directory, position }: Change, events: ReadonlyMap<number, number>): Promise<void> {
    this.#areBeingDated = true;
    const organizationId = directory.organization.id;
    const { dated, withMoved } = await dateSubscriptions(
      db,
      organizationId,
      this.#places,
      events,
      position.messageHead,
    );
    if (dated !== this.#count) throw new NotAsWrittenError(`${dated} of ${this.#count} subscriptions are to begin`);
    const begun = withMoved.flatMap((channelId) =>
      [...(this.#members.get(channelId)?.keys() ?? [])].map((userId) => ({ userId, channelId })),
    );
    if (begun.length > 0) await forgetBegun(db, organizationId, begun, position.messageHead);
  }

  /** @throws NotAsWrittenError rows were staged, but no user joins */
  checkDated(): void {
    if (!this.#areBeingDated && this.#count > 0)
      throw new NotAsWrittenError('nobody is to join of those who were written');
  }
}
