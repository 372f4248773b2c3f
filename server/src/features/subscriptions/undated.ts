import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import { dateSubscriptions, forgetBegun, insertUndated, takeChannels } from './beginning.ts';
import { type GivenColors, newColor } from './colors.ts';
import { type Member, memberAgain } from './present.ts';
import { rowsOf } from './rows.ts';

/** Another request has the subscriptions of a channel in hand. Nothing was committed; a moment later it may be tried again. */
export class TryAgainError extends Error {
  override readonly name: string = 'TryAgainError';
}

/** What was written ahead is not what the change has come to, since others have changed things. Nothing was committed. */
export class NotAsWrittenError extends Error {
  override readonly name: string = 'NotAsWrittenError';
}

/** Of a `TryAgainError`. */
export const TAKEN = 'another request has the subscriptions of a channel in hand';

/** A channel that people are to join; one that is to be created has its id already, and nobody knows it. */
export interface JoinedAhead {
  readonly id: number;
  readonly color?: string | undefined;
  readonly isNew: boolean;
}

/**
 * Subscriptions of very many people, written by a change before it takes the log. Their rows say since which event and message they hold only
 * when the change has the log (`date`): until then they belong to nothing, and the transaction must not commit. Who else begins
 * subscriptions to these channels would wait for the rows, with the log in hand: so their channels are taken first, for all
 * processes, and others ask before they write (`beginSubscriptions`).
 */
export class UndatedSubscriptions {
  /** Ids of the channels that the change is to create, by their names. */
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
   * Writes the rows of those users who are not subscribed to these channels yet.
   * @throws TryAgainError
   * @param created names of those among the channels that are to be created, with their ids
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
   * The ids of the channels that the change creates, in the order of these names; they are the highest that there are.
   * @throws NotAsWrittenError they are not those that were written for
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
   * Those who join a channel, in the order of the ids given.
   * @throws NotAsWrittenError others than these were written
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
   * Makes the rows hold since these events, one for each channel.
   * @throws NotAsWrittenError not all that were written are to be
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

  /** @throws NotAsWrittenError nobody joins, though rows were written */
  checkDated(): void {
    if (!this.#areBeingDated && this.#count > 0)
      throw new NotAsWrittenError('nobody is to join of those who were written');
  }
}
